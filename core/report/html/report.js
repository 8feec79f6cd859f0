// SPDX-License-Identifier: Apache-2.0
'use strict';
(function () {
  const root = document.documentElement;
  const { make, button, BarView, PlaneView } = WarpbenchCharts;
  const charts = [];
  const tables = {};
  const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, '\u2009');
  const toneOf = (box) => (/\btone-(\w+)/.exec(box.className) || [, 'neutral'])[1];

  // Tables: the page has every row; here they are sorted, filtered and paged. A column is known by its kind,
  // unit and better side, which stand at its head.
  class TableView {
    constructor(section) {
      this.section = section;
      this.table = section.querySelector('table');
      this.body = this.table.tBodies[0];
      this.rows = [...this.body.rows];
      this.columns = [...this.table.tHead.rows[0].cells].map((head) => ({ ...head.dataset }));
      this.pageSize = Number(this.table.dataset.page);
      this.sort = null;
      this.page = 0;
      this.words = [];
      this.seen = this.rows.slice(0, this.pageSize);
      this.chip = () => true;
      this.addSorting();
      if (this.rows.length > 8) this.addFilter();
      if (this.rows.length > this.pageSize) this.addPager();
      this.apply();
    }

    addSorting() {
      this.heads = [...this.table.tHead.rows[0].cells];
      this.heads.forEach((head, column) => {
        const title = head.textContent;
        head.textContent = '';
        head.append(button(title, () => {
          const numeric = ['number', 'share', 'ratio'].includes(this.columns[column].kind);
          const was = this.sort && this.sort.column === column ? this.sort.descending : null;
          // Numbers start with the largest, words with the first; the third click gives the order back.
          this.sort = was === null ? { column, descending: numeric } : was === numeric ? { column, descending: !numeric } : null;
          this.page = 0;
          this.apply();
        }));
      });
    }

    addFilter() {
      const head = this.section.querySelector('.head');
      head.append(make('span', 'space'));
      const verdict = this.columns.findIndex((column) => column.kind === 'verdict');
      const speedup = this.columns.findIndex((column) => column.unit === '×' && column.better === 'higher');
      if (verdict >= 0) {
        const tone = (row, column) => toneOf(row.cells[column]);
        const chips = [['All', () => true], ['Failing', (row) => tone(row, verdict) === 'bad' || tone(row, verdict) === 'warning']];
        if (speedup >= 0)
          chips.push(['Faster', (row) => tone(row, speedup) === 'good'], ['Slower', (row) => tone(row, speedup) === 'bad']);
        this.addChips(head, chips);
      }
      this.input = make('input');
      this.input.type = 'search';
      this.input.placeholder = 'Filter ' + count(this.rows.length) + ' rows';
      this.input.setAttribute('aria-label', 'Filter ' + this.section.querySelector('h2').textContent);
      this.input.addEventListener('input', () => this.filter(this.input.value));
      head.append(this.input);
    }

    addChips(head, chips) {
      const box = make('span', 'chips');
      this.chipButtons = chips.map(([name, test], index) => {
        const hits = this.rows.filter(test).length;
        const chip = button(index ? name + ' ' + count(hits) : name, () => this.choose(index));
        chip.test = test;
        chip.disabled = index > 0 && hits === 0;
        chip.setAttribute('aria-pressed', index === 0);
        box.append(chip);
        return chip;
      });
      head.append(box);
    }

    choose(index) {
      if (!this.chipButtons) return;
      this.chipButtons.forEach((chip, i) => chip.setAttribute('aria-pressed', i === index));
      this.chip = this.chipButtons[index].test;
      this.page = 0;
      this.apply();
    }

    addPager() {
      const pager = make('div', 'pager');
      this.where = make('span');
      this.where.setAttribute('aria-live', 'polite');
      this.back = button('Previous', () => this.turn(-1));
      this.next = button('Next', () => this.turn(1));
      pager.append(this.where, make('span', 'space'), this.back, this.next);
      this.section.querySelector('.panel').append(pager);
    }

    turn(by) { this.page += by; this.render(); }

    filter(text) {
      if (this.input && this.input.value !== text) this.input.value = text;
      this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
      this.page = 0;
      this.apply();
    }

    apply() {
      const textOf = (row) => row.words || (row.words = [...row.cells].map((box) => box.textContent).join(' ').toLowerCase());
      let shown = this.rows.filter(this.chip);
      if (this.words.length) shown = shown.filter((row) => this.words.every((word) => textOf(row).includes(word)));
      if (this.sort) {
        const { column, descending } = this.sort;
        const number = new Map(this.rows.map((row) => [row, Number(row.cells[column].dataset.n ?? NaN)]));
        const byNumber = this.rows.some((row) => !Number.isNaN(number.get(row)));
        const sign = descending ? -1 : 1;
        const order = (a, b) => {
          if (!byNumber) return sign * a.cells[column].textContent.localeCompare(b.cells[column].textContent, undefined, { numeric: true });
          // What has no number comes last, whichever way.
          const x = number.get(a), y = number.get(b);
          if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
          return sign * (x - y);
        };
        shown = shown.slice().sort(order);
      }
      this.shown = shown;
      this.heads.forEach((head, column) => {
        if (!this.sort || this.sort.column !== column) head.removeAttribute('aria-sort');
        else head.setAttribute('aria-sort', this.sort.descending ? 'descending' : 'ascending');
      });
      this.render();
    }

    render() {
      const pages = Math.max(1, Math.ceil(this.shown.length / this.pageSize));
      this.page = Math.min(Math.max(this.page, 0), pages - 1);
      const first = this.page * this.pageSize;
      const part = this.shown.slice(first, first + this.pageSize);
      this.seen.forEach((row) => { row.hidden = true; });
      if (this.none) this.none.remove();
      this.seen = part;
      part.forEach((row) => { row.hidden = false; });
      this.body.append(...part);
      if (part.length === 0) {
        this.none = make('tr');
        const only = make('td', 'tone-muted', 'No row matches');
        only.colSpan = this.columns.length;
        this.none.append(only);
        this.body.append(this.none);
      }
      if (!this.where) return;
      this.where.textContent = part.length === 0 ? 'none of ' + count(this.rows.length)
        : count(first + 1) + ' – ' + count(first + part.length) + ' of ' + count(this.shown.length);
      this.back.disabled = this.page === 0;
      this.next.disabled = this.page === pages - 1;
    }

    reveal(id) {
      const line = this.rows.find((row) => row.dataset.row === id);
      if (!line) return false;
      this.choose(0);
      this.filter('');
      this.page = Math.floor(this.shown.indexOf(line) / this.pageSize);
      this.render();
      line.scrollIntoView({ block: 'center' });
      line.classList.add('flash');
      setTimeout(() => line.classList.remove('flash'), 1600);
      return true;
    }
  }

  // A bar of a case leads to its row, the bar of an operator to its cases.
  function reveal(bar) {
    const cases = tables.cases;
    if (!cases || cases.reveal(bar.rowId)) return;
    cases.choose(0);
    cases.filter(bar.label.replace(/: /, ' '));
    cases.section.scrollIntoView();
  }

  // Colours for C++, CUDA and Python, one line at a time; a block comment goes on over lines.
  const setOf = (list) => new Set(list.split(' '));
  const cppWords = setOf('alignas auto bool break case catch char class const constexpr continue default delete do double ' +
    'else enum explicit extern false float for friend if inline int long namespace new nullptr operator private public ' +
    'requires return short signed sizeof static struct switch template this throw true try typedef typename union unsigned ' +
    'using virtual void volatile while __global__ __device__ __host__ __shared__ __restrict__ __launch_bounds__ scalar_t');
  const pythonWords = setOf('and as assert async await def del elif except finally from global import in is lambda None nonlocal not or pass raise ' +
    'True False with yield break class continue else for if return try while');
  function colourSource(code, python) {
    let inComment = false;
    const words = python ? pythonWords : cppWords;
    const pattern = python
      ? /(#.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(@\w+)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g
      : /(\/\/.*|\/\*.*?(?:\*\/|$))|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(^\s*#\s*\w+)|(\b\d[\w.']*)|([A-Za-z_]\w*)/g;
    for (const box of code.querySelectorAll('.t')) {
      const text = box.textContent, parts = [];
      let at = 0;
      const put = (piece, kind) => parts.push(kind ? make('span', kind, piece) : piece);
      if (inComment) {
        const end = text.indexOf('*/');
        at = end < 0 ? text.length : end + 2;
        put(text.slice(0, at), 'c');
        inComment = end < 0;
      }
      pattern.lastIndex = at;
      for (let hit; at < text.length && (hit = pattern.exec(text));) {
        if (hit.index > at) put(text.slice(at, hit.index));
        at = hit.index + hit[0].length;
        put(hit[0], hit[1] ? 'c' : hit[2] ? 's' : hit[3] ? 'p' : hit[4] ? 'm' : words.has(hit[0]) ? 'k' : '');
        if (hit[1] && hit[1].startsWith('/*') && !hit[1].endsWith('*/')) inComment = true;
      }
      if (at < text.length) put(text.slice(at));
      box.replaceChildren(...parts);
    }
  }

  function isDark() {
    return root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  }
  function addTools() {
    const theme = document.getElementById('theme'), save = document.getElementById('save');
    const label = () => { theme.textContent = isDark() ? 'Light' : 'Dark'; };
    theme.hidden = save.hidden = false;
    theme.addEventListener('click', () => {
      root.dataset.theme = isDark() ? 'light' : 'dark';
      try { localStorage.setItem('warpbench-theme', root.dataset.theme); } catch (e) { /* not kept, then */ }
      label();
      charts.forEach((chart) => chart.draw());
    });
    // Paper is white, so pictures are drawn in the light colours while the page is printed.
    let shown;
    addEventListener('beforeprint', () => {
      shown = root.dataset.theme;
      root.dataset.theme = 'light';
      charts.forEach((chart) => chart.draw());
    });
    addEventListener('afterprint', () => {
      if (shown) root.dataset.theme = shown;
      else delete root.dataset.theme;
      charts.forEach((chart) => chart.draw());
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { label(); charts.forEach((chart) => chart.draw()); });
    save.addEventListener('click', () => {
      const link = make('a');
      link.href = URL.createObjectURL(new Blob([document.getElementById('report').textContent], { type: 'application/json' }));
      link.download = 'report.json';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
    label();
  }

  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  addTools();
  for (const section of document.querySelectorAll('section[id]'))
    if (section.querySelector('table[data-page]')) tables[section.id] = new TableView(section);
  for (const chart of JSON.parse(document.getElementById('charts').textContent)) charts.push(chart.points ? new PlaneView(chart) : new BarView(chart, reveal));
  document.querySelectorAll('.code').forEach((code) => {
    if (code.children.length < 20000) colourSource(code, code.dataset.lexer === 'python');
  });
  // A link to a line opens the source it is in.
  addEventListener('click', (event) => {
    const link = event.target.closest && event.target.closest('a[href^="#k"]');
    const line = link && document.getElementById(link.getAttribute('href').slice(1));
    if (line) line.closest('details').open = true;
  });
})();
