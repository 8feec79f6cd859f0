// SPDX-License-Identifier: Apache-2.0
'use strict';
(function () {
  const root = document.documentElement;
  const figures = JSON.parse(document.getElementById('figures').textContent);
  const { tones, make, button, BarView, PlaneView } = WarpbenchCharts;
  const charts = [];
  const tables = {};
  const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, '\u2009');
  // A cell comes as its text, or as [text, tone, sort, detail, bar] with the tail left out.
  const cell = (data) => {
    const list = Array.isArray(data) ? data : [data];
    return { text: list[0], tone: list[1] || 0, sort: typeof list[2] === 'number' ? list[2] : NaN, detail: list[3] || '', bar: list[4] };
  };

  // Tables: sorted, filtered and paged over all rows; the page holds no more rows than are looked at.
  class TableView {
    constructor(figure) {
      this.figure = figure;
      this.section = document.getElementById(figure.id);
      this.body = this.section.querySelector('tbody');
      this.rows = figure.rows.map((row) => ({ id: row[0], href: row[1], cells: row.slice(2).map(cell) }));
      this.sort = null;
      this.page = 0;
      this.pageSize = figure.id === 'cases' ? 100 : 25;
      this.words = [];
      this.chip = () => true;
      this.addSorting();
      if (this.rows.length > 8) this.addFilter();
      if (this.rows.length > this.pageSize) this.addPager();
      this.apply();
    }

    addSorting() {
      this.heads = [...this.section.querySelectorAll('thead th')];
      this.heads.forEach((head, column) => {
        const title = head.textContent;
        head.textContent = '';
        head.append(button(title, () => {
          const numeric = this.figure.columns[column].numeric;
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
      const verdict = this.columnOf('verdict'), speedup = this.columnOf('speedup');
      if (verdict >= 0) {
        const tone = (row, column) => tones[row.cells[column].tone];
        this.addChips(head, [
          ['All', () => true],
          ['Failing', (row) => tone(row, verdict) === 'bad' || tone(row, verdict) === 'warning'],
          ['Faster', (row) => tone(row, speedup) === 'good'],
          ['Slower', (row) => tone(row, speedup) === 'bad']]);
      }
      this.input = make('input');
      this.input.type = 'search';
      this.input.placeholder = 'Filter ' + count(this.rows.length) + ' rows';
      this.input.setAttribute('aria-label', 'Filter ' + this.figure.title);
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

    columnOf(key) { return this.figure.columns.findIndex((column) => column.key === key); }
    turn(by) { this.page += by; this.render(); }

    filter(text) {
      if (this.input && this.input.value !== text) this.input.value = text;
      this.words = text.toLowerCase().split(/\s+/).filter(Boolean);
      this.page = 0;
      this.apply();
    }

    apply() {
      const textOf = (row) => row.search || (row.search = row.cells.map((c) => c.text).join(' ').toLowerCase());
      let shown = this.rows.filter(this.chip);
      if (this.words.length) shown = shown.filter((row) => this.words.every((word) => textOf(row).includes(word)));
      if (this.sort) {
        const { column, descending } = this.sort;
        const byNumber = this.rows.some((row) => !Number.isNaN(row.cells[column].sort));
        const sign = descending ? -1 : 1;
        const order = (a, b) => {
          const x = a.cells[column], y = b.cells[column];
          if (!byNumber) return sign * x.text.localeCompare(y.text, undefined, { numeric: true });
          // What has no number comes last, whichever way.
          if (Number.isNaN(x.sort) || Number.isNaN(y.sort)) return Number.isNaN(x.sort) - Number.isNaN(y.sort);
          return sign * (x.sort - y.sort);
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
      this.body.replaceChildren(...part.map((row) => this.renderRow(row)));
      if (part.length === 0) {
        const line = make('tr'), only = make('td', 'muted', 'No row matches');
        only.colSpan = this.figure.columns.length;
        line.append(only);
        this.body.append(line);
      }
      if (!this.where) return;
      this.where.textContent = part.length === 0 ? 'none of ' + count(this.rows.length)
        : count(first + 1) + ' – ' + count(first + part.length) + ' of ' + count(this.shown.length);
      this.back.disabled = this.page === 0;
      this.next.disabled = this.page === pages - 1;
    }

    renderRow(row) {
      const line = make('tr');
      line.dataset.row = row.id;
      row.cells.forEach((data, index) => {
        const column = this.figure.columns[index];
        const box = make('td', (column.numeric ? 'num ' : '') + (data.tone ? 'tone-' + tones[data.tone] : ''));
        box.dataset.key = column.key;
        if (data.detail) box.title = data.detail;
        if (typeof data.bar === 'number') { box.classList.add('share'); box.style.setProperty('--share', data.bar * 100 + '%'); }
        if (row.href && column.key === 'place') {
          const link = make('a', '', data.text);
          link.href = row.href;
          box.append(link);
        } else {
          box.textContent = data.text;
        }
        line.append(box);
      });
      return line;
    }

    reveal(id) {
      const at = this.rows.findIndex((row) => row.id === id);
      if (at < 0) return false;
      this.choose(0);
      this.filter('');
      this.page = Math.floor(this.shown.indexOf(this.rows[at]) / this.pageSize);
      this.render();
      const line = this.body.querySelector('tr[data-row="' + CSS.escape(id) + '"]');
      line.scrollIntoView({ block: 'center' });
      line.classList.add('flash');
      setTimeout(() => line.classList.remove('flash'), 1600);
      return true;
    }
  }

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
  for (const table of figures.tables) tables[table.id] = new TableView(table);
  for (const chart of figures.charts) charts.push(chart.points ? new PlaneView(chart) : new BarView(chart, reveal));
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
