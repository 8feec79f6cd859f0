// SPDX-License-Identifier: Apache-2.0
'use strict';
// What is drawn on a canvas, and the few things that report.js shares with it.
const WarpbenchCharts = (function () {
  const root = document.documentElement;
  const tones = ['neutral', 'good', 'bad', 'warning', 'muted'];
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const button = (text, onClick) => {
    const element = make('button', '', text);
    element.type = 'button';
    element.addEventListener('click', onClick);
    return element;
  };
  const colour = (name) => getComputedStyle(root).getPropertyValue('--' + name).trim();
  const barColour = (tone) => colour(tones[tone] === 'good' ? 'good-bar' : tones[tone] === 'bad' ? 'bad-bar' : 'same-bar');
  const shareColour = (tone) => colour(tones[tone] === 'good' ? 'good-bar' : tones[tone] === 'muted' ? 'line' : 'same-bar');
  const prefixed = (value) => {
    for (const [size, prefix] of [[1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']])
      if (value >= size * 0.9999) return Number((value / size).toPrecision(3)) + ' ' + prefix;
    return String(Number(value.toPrecision(3)));
  };

  // Intervals as whiskers over the bars, and the value in words beside them.
  const whiskers = (bars, base) => ({
    id: 'whiskers',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea } = chart, axis = chart.scales.x;
      ctx.save();
      ctx.beginPath();
      ctx.rect(chartArea.left - 1, chartArea.top, chart.width - chartArea.left, chartArea.height);
      ctx.clip();
      ctx.font = '600 12px ' + getComputedStyle(document.body).fontFamily;
      ctx.textBaseline = 'middle';
      chart.getDatasetMeta(0).data.forEach((element, index) => {
        const bar = bars[index];
        const known = bar.low > 0;  // else there is no interval
        const low = axis.getPixelForValue(known ? bar.low : bar.value), high = axis.getPixelForValue(known ? bar.high : bar.value), y = element.y;
        ctx.strokeStyle = colour('text');
        ctx.lineWidth = 1.25;
        ctx.beginPath();
        if (high - low > 1.5) {
          ctx.moveTo(low, y); ctx.lineTo(high, y);
          for (const x of [low, high]) { ctx.moveTo(x, y - 4); ctx.lineTo(x, y + 4); }
        }
        ctx.stroke();
        ctx.fillStyle = colour('text');
        ctx.fillText(bar.text, Math.max(high, element.x, axis.getPixelForValue(base)) + 8, y);
      });
      // The axis' base, on top of the grid.
      const x = axis.getPixelForValue(base);
      ctx.strokeStyle = colour('soft');
      ctx.lineWidth = 1;
      ctx.beginPath(); ctx.moveTo(x, chartArea.top); ctx.lineTo(x, chartArea.bottom); ctx.stroke();
      ctx.restore();
    },
  });

  // 1, 2, 5 steps where the range is wide, finer ones where it is narrow.
  function logTicks(low, high) {
    const span = high / low;
    const steps = span > 200 ? [1] : span > 12 ? [1, 2, 5] : span > 4 ? [1, 1.5, 2, 3, 4, 5, 7] : span > 2 ? [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8] : [1, 1.1, 1.2, 1.3, 1.5, 1.7, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); ++power)
      for (const step of steps) {
        const value = step * 10 ** power;
        if (value >= low * 0.999 && value <= high * 1.001) ticks.push({ value });
      }
    return ticks;
  }

  // Bars from a base: on a logarithmic axis with intervals, or shares on a plain one.
  class BarView {
    constructor(figure, reveal) {
      this.figure = figure;
      this.reveal = reveal;
      this.section = document.getElementById(figure.id);
      this.bars = figure.bars.slice();
      if (this.bars.length > 2 && !figure.linear) {
        this.button = button('Sort by speedup', () => this.toggleOrder());
        this.button.setAttribute('aria-pressed', 'false');
        this.section.querySelector('.head').append(make('span', 'space'), this.button);
      }
      this.draw();
    }

    toggleOrder() {
      const sorted = this.button.getAttribute('aria-pressed') !== 'true';
      this.button.setAttribute('aria-pressed', sorted);
      this.bars = this.figure.bars.slice();
      if (sorted) this.bars.sort((a, b) => b.value - a.value);
      this.draw();
    }

    axis() {
      const base = this.figure.base;
      if (this.figure.linear) return { type: 'linear', min: base, max: Math.max(...this.bars.map((bar) => bar.high)) * 1.15 || 1 };
      const low = Math.min(base / 1.03, ...this.bars.map((bar) => bar.low > 0 ? bar.low : bar.value));
      const high = Math.max(base * 1.15, ...this.bars.map((bar) => Math.max(bar.high, bar.value)));
      return { type: 'logarithmic', min: low / 1.025, max: high * Math.pow(high / low, 0.12) };
    }

    draw() {
      const plot = this.section.querySelector('.plot'), linear = this.figure.linear;
      if (this.chart) this.chart.destroy();
      plot.style.height = this.bars.length * 27 + 58 + 'px';
      const longest = linear ? 72 : 46;
      this.chart = new Chart(plot.querySelector('canvas'), {
        type: 'bar',
        data: { labels: this.bars.map((bar) => bar.label), datasets: [{
          data: this.bars.map((bar) => bar.value), base: this.figure.base,
          backgroundColor: this.bars.map((bar) => (linear ? shareColour : barColour)(bar.tone)), borderRadius: 3, barThickness: 13 }] },
        options: {
          indexAxis: 'y', responsive: true, maintainAspectRatio: false, animation: false,
          onClick: (event, hits) => { if (hits.length && !linear) this.reveal(this.bars[hits[0].index]); },
          onHover: (event, hits) => { event.native.target.style.cursor = hits.length && !linear ? 'pointer' : 'default'; },
          plugins: { legend: { display: false }, tooltip: { displayColors: false, callbacks: {
            label: (item) => {
              const bar = this.bars[item.dataIndex];
              return linear ? [bar.text] : [bar.text, '95 % interval ' + bar.interval];
            } } } },
          scales: {
            x: { ...this.axis(), border: {}, title: { display: true, text: this.figure.axis, color: colour('soft'), font: { size: 12 } },
              grid: { color: colour('grid'), drawBorder: false, tickLength: 0 },
              ...(linear ? {} : { afterBuildTicks: (scale) => { scale.ticks = logTicks(scale.min, scale.max); } }),
              ticks: { color: colour('soft'), padding: 6, autoSkip: true, maxRotation: 0,
                callback: (value) => linear ? Number((value * 100).toPrecision(3)) + ' %' : Number(value.toPrecision(3)) + '×' } },
            y: { grid: { display: false, drawBorder: false }, ticks: { color: colour('text'), autoSkip: false, font: { size: 12 },
              callback: (value, index) => { const label = this.bars[index].label; return label.length > longest ? label.slice(0, longest - 1) + '…' : label; } } },
          },
        },
        plugins: [whiskers(this.bars, this.figure.base)],
      });
    }
  }

  // Names of points and lines, each where nothing else stands, with a rim that keeps it readable on a line.
  const names = (figure) => ({
    id: 'names',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea } = chart, x = chart.scales.x, y = chart.scales.y;
      const taken = figure.points.map((point) => {
        const left = x.getPixelForValue(point.x), top = y.getPixelForValue(point.y);
        return { left: left - 7, right: left + 7, top: top - 7, bottom: top + 7 };
      });
      const free = (box) => box.left >= chartArea.left && box.right <= chartArea.right && box.top >= chartArea.top &&
        box.bottom <= chartArea.bottom && !taken.some((other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top);
      // The first of the places that is free, else the first.
      const put = (text, places) => {
        const width = ctx.measureText(text).width;
        const boxes = places.map(([left, top, align]) => {
          const start = align === 'right' ? left - width : align === 'center' ? left - width / 2 : left;
          return { left: start, right: start + width, top: top - 7, bottom: top + 7 };
        });
        const box = boxes.find(free) || boxes[0];
        taken.push(box);
        ctx.strokeText(text, box.left, box.top + 7);
        ctx.fillText(text, box.left, box.top + 7);
      };
      ctx.save();
      ctx.textBaseline = 'middle';
      ctx.lineJoin = 'round';
      ctx.lineWidth = 4;
      ctx.strokeStyle = colour('surface');
      ctx.font = '600 12px ' + getComputedStyle(document.body).fontFamily;
      ctx.fillStyle = colour('text');
      for (const point of figure.points) {
        const left = x.getPixelForValue(point.x), top = y.getPixelForValue(point.y);
        put(point.label, [[left + 11, top, 'left'], [left - 11, top, 'right'], [left, top + 17, 'center'], [left, top - 17, 'center'],
          [left + 11, top + 17, 'left'], [left - 11, top + 17, 'right'], [left + 11, top + 34, 'left']]);
      }
      ctx.font = '11px ' + getComputedStyle(document.body).fontFamily;
      ctx.fillStyle = colour('soft');
      for (const line of figure.lines) {
        const [start, end] = [line.points[0], line.points[line.points.length - 1]];
        const places = [];
        // A flat roof is named at its right end, a slanted one on itself, further up where that is taken.
        for (let step = 0; step < 12; ++step) {
          if (start[1] === end[1]) {
            places.push([x.getPixelForValue(end[0]) - 6 - step * 60, y.getPixelForValue(end[1]) - 9, 'right']);
            places.push([x.getPixelForValue(end[0]) - 6 - step * 60, y.getPixelForValue(end[1]) + 10, 'right']);
          } else {
            const part = 0.12 + step * 0.06;
            const at = start.map((value, axis) => value * Math.pow(end[axis] / value, part));
            places.push([x.getPixelForValue(at[0]), y.getPixelForValue(at[1]), 'center']);
          }
        }
        put(line.label, places);
      }
      ctx.restore();
    },
  });

  // Points and lines between two logarithmic axes.
  class PlaneView {
    constructor(figure) {
      this.figure = figure;
      this.section = document.getElementById(figure.id);
      this.draw();
    }

    draw() {
      const plot = this.section.querySelector('.plot'), { points, lines } = this.figure;
      if (this.chart) this.chart.destroy();
      plot.style.height = '440px';
      const all = [...points.map((point) => [point.x, point.y]), ...lines.flatMap((line) => line.points)];
      const range = (index) => {
        const values = all.map((pair) => pair[index]).filter((value) => value > 0);
        return [Math.min(...values), Math.max(...values)];
      };
      const [left, right] = range(0), [bottom, top] = range(1);
      const axis = (min, max, title) => ({
        type: 'logarithmic', min, max, title: { display: true, text: title, color: colour('soft'), font: { size: 12 } },
        grid: { color: colour('grid'), drawBorder: false, tickLength: 0 },
        afterBuildTicks: (scale) => { scale.ticks = logTicks(scale.min, scale.max); },
        ticks: { color: colour('soft'), padding: 6, autoSkip: true, maxRotation: 0, callback: prefixed },
      });
      this.chart = new Chart(plot.querySelector('canvas'), {
        type: 'scatter',
        data: { datasets: [
          { data: points, order: 0, pointRadius: 6, pointHoverRadius: 8, backgroundColor: points.map((point) => barColour(point.tone)),
            borderColor: colour('surface'), borderWidth: 1.5, pointStyle: points.map((point) => tones[point.tone] === 'good' ? 'circle' : 'triangle') },
          ...lines.map((line) => ({ data: line.points.map(([x, y]) => ({ x, y })), order: 1, showLine: true, pointRadius: 0, pointHitRadius: 0,
            borderColor: colour(line.dashed ? 'faint' : 'text'), borderWidth: line.dashed ? 1 : 1.5, borderDash: line.dashed ? [5, 4] : [] })),
        ] },
        options: {
          responsive: true, maintainAspectRatio: false, animation: false,
          plugins: { legend: { display: false }, tooltip: { displayColors: false, filter: (item) => item.datasetIndex === 0,
            callbacks: { label: (item) => (points[item.dataIndex].detail || points[item.dataIndex].label).split('\n') } } },
          scales: { x: axis(left, right, this.figure.xAxis), y: axis(bottom / 1.5, top * 3, this.figure.yAxis) },
        },
        plugins: [names(this.figure)],
      });
    }
  }

  return { make, button, BarView, PlaneView };
})();
