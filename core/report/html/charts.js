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
  const seriesColour = (series) => colour('series-' + 'abcdefgh'[series % 8]);
  // From so many points on they are a crowd, drawn small.
  const crowd = 60;
  // The scale and the marks of an axis, as core/figures/charts/scale.h made them.
  const axisOf = (scale, title) => ({
    type: scale.logarithmic ? 'logarithmic' : 'linear', min: scale.low, max: scale.high, border: {},
    title: { display: true, text: title, color: colour('soft'), font: { size: 12 } },
    grid: { color: colour('grid'), drawBorder: false, tickLength: 0 },
    afterBuildTicks: (axis) => { axis.ticks = scale.ticks.map(([value]) => ({ value })); },
    ticks: { color: colour('soft'), padding: 6, autoSkip: false, maxRotation: 0,
      callback: (value, index) => scale.ticks[index] ? scale.ticks[index][1] : '' },
  });
  // An interval from low to high at one height; an end beyond the scale is an arrow. `point` gives a place on the canvas.
  const interval = (ctx, point, low, high, cutLow, cutHigh) => {
    const end = (at, cut, outwards) => {
      const [x, y] = point(at, 0);
      if (!cut) { ctx.moveTo(...point(at, -4)); ctx.lineTo(...point(at, 4)); return; }
      ctx.moveTo(...point(at - outwards * 5, -4)); ctx.lineTo(x, y); ctx.lineTo(...point(at - outwards * 5, 4));
    };
    ctx.moveTo(...point(low, 0)); ctx.lineTo(...point(high, 0));
    end(low, cutLow, Math.sign(low - high));
    end(high, cutHigh, Math.sign(high - low));
  };

  // Intervals as whiskers over the bars, and the value in words beside them.
  const whiskers = (bars, base) => ({
    id: 'whiskers',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea } = chart, axis = chart.scales.x;
      ctx.save();
      ctx.beginPath();
      ctx.rect(chartArea.left - 1, chartArea.top, chart.width - chartArea.left + 1, chartArea.height);
      ctx.clip();
      ctx.font = '600 12px ' + getComputedStyle(document.body).fontFamily;
      ctx.textBaseline = 'middle';
      chart.getDatasetMeta(0).data.forEach((element, index) => {
        const bar = bars[index];
        const known = bar.low > 0 && bar.low < bar.high;  // else there is no interval
        const pixel = (value) => Math.min(chartArea.right, Math.max(chartArea.left, axis.getPixelForValue(value)));
        const low = pixel(known ? bar.low : bar.value), high = pixel(known ? bar.high : bar.value), y = element.y;
        ctx.strokeStyle = colour('text');
        ctx.lineWidth = 1.25;
        ctx.beginPath();
        if (high - low > 1.5) interval(ctx, (x, across) => [x, y + across], low, high, bar.cutLow, bar.cutHigh);
        ctx.stroke();
        ctx.fillStyle = colour('text');
        ctx.fillText(bar.text, chartArea.right + 10, y);  // a column of its own, where nothing cuts it
      });
      // The axis' base, on top of the grid.
      const x = axis.getPixelForValue(base);
      ctx.strokeStyle = colour('soft');
      ctx.lineWidth = 1;
      ctx.beginPath(); ctx.moveTo(x, chartArea.top); ctx.lineTo(x, chartArea.bottom); ctx.stroke();
      ctx.restore();
    },
  });

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

    draw() {
      const plot = this.section.querySelector('.plot'), linear = this.figure.linear;
      if (this.chart) this.chart.destroy();
      plot.style.height = this.bars.length * 27 + 58 + 'px';
      const longest = linear ? 72 : 60;
      // Values stand right of the axis, as wide as the longest.
      const room = 20 + 7.2 * Math.max(...this.bars.map((bar) => bar.text.length));
      this.chart = new Chart(plot.querySelector('canvas'), {
        type: 'bar',
        data: { labels: this.bars.map((bar) => bar.label), datasets: [{
          data: this.bars.map((bar) => bar.value), base: this.figure.base,
          backgroundColor: this.bars.map((bar) => (linear ? shareColour : barColour)(bar.tone)), borderRadius: 3, barThickness: 13 }] },
        options: {
          indexAxis: 'y', responsive: true, maintainAspectRatio: false, animation: false, layout: { padding: { right: room } },
          onClick: (event, hits) => { if (hits.length && !linear) this.reveal(this.bars[hits[0].index]); },
          onHover: (event, hits) => { event.native.target.style.cursor = hits.length && !linear ? 'pointer' : 'default'; },
          plugins: { legend: { display: false }, tooltip: { displayColors: false, callbacks: {
            label: (item) => {
              const bar = this.bars[item.dataIndex];
              return bar.interval ? [bar.text, '95 % interval ' + bar.interval] : [bar.text];
            } } } },
          scales: {
            x: axisOf(this.figure.scale, this.figure.axis),
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
      const taken = figure.points.length > crowd ? [] : figure.points.map((point) => {
        const left = x.getPixelForValue(point.x), top = y.getPixelForValue(point.y);
        return { left: left - 7, right: left + 7, top: top - 7, bottom: top + 7 };
      });
      const free = (box) => box.left >= chartArea.left && box.right <= chartArea.right && box.top >= chartArea.top &&
        box.bottom <= chartArea.bottom && !taken.some((other) => box.left < other.right && box.right > other.left && box.top < other.bottom && box.bottom > other.top);
      // The first of the places that is free; a name that would cover a point or another name is left to the pointer.
      const put = (text, places) => {
        const width = ctx.measureText(text).width;
        const boxes = places.map(([left, top, align]) => {
          const start = align === 'right' ? left - width : align === 'center' ? left - width / 2 : left;
          return { left: start, right: start + width, top: top - 7, bottom: top + 7 };
        });
        const box = boxes.find(free);
        if (!box) return;
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
        if (!point.label) continue;
        const left = x.getPixelForValue(point.x), top = y.getPixelForValue(point.y);
        const places = [];
        for (const away of [11, 26, 44])
          places.push([left + away, top, 'left'], [left - away, top, 'right'], [left, top + away + 6, 'center'], [left, top - away - 6, 'center'],
            [left + 11, top + away + 6, 'left'], [left - 11, top + away + 6, 'right'], [left + 11, top - away - 6, 'left']);
        put(point.label, places);
      }
      ctx.font = '11px ' + getComputedStyle(document.body).fontFamily;
      ctx.fillStyle = colour('soft');
      for (const line of figure.lines) {
        if (!line.label) continue;
        ctx.fillStyle = line.series >= 0 ? seriesColour(line.series) : colour('soft');
        // Of a curve the name stands at its last stretch.
        const isCurve = line.series >= 0 && !line.dashed;
        const [start, end] = [line.points[isCurve ? line.points.length - 2 : 0], line.points[line.points.length - 1]];
        const places = [];
        // A flat roof is named at its right end, a slanted one on itself, further up where that is taken.
        for (let step = 0; step < 12; ++step) {
          if (start[1] === end[1]) {
            places.push([x.getPixelForValue(end[0]) - 6 - step * 60, y.getPixelForValue(end[1]) - 9, 'right']);
            places.push([x.getPixelForValue(end[0]) - 6 - step * 60, y.getPixelForValue(end[1]) + 10, 'right']);
          } else {
            const part = 0.12 + step * 0.06;
            const between = (scale, value, other) => scale.getPixelForValue(value) + part * (scale.getPixelForValue(other) - scale.getPixelForValue(value));
            places.push([between(x, start[0], end[0]), between(y, start[1], end[1]) - 9, 'center']);
          }
        }
        put(line.label, places);
      }
      ctx.restore();
    },
  });

  // What changed from one version to the next, and intervals of points.
  const arrows = (figure) => ({
    id: 'arrows',
    afterDatasetsDraw(chart) {
      const { ctx, chartArea } = chart, x = chart.scales.x, y = chart.scales.y;
      const pixel = (value) => Math.min(chartArea.bottom, Math.max(chartArea.top, y.getPixelForValue(value)));
      ctx.save();
      ctx.lineWidth = 1.25;
      for (const point of figure.points) {
        if (!(point.low < point.high)) continue;
        const left = x.getPixelForValue(point.x);
        ctx.strokeStyle = point.series >= 0 ? seriesColour(point.series) : colour('text');
        ctx.beginPath();
        interval(ctx, (at, across) => [left + across, at], pixel(point.low), pixel(point.high), point.cutLow, point.cutHigh);
        ctx.stroke();
      }
      ctx.strokeStyle = ctx.fillStyle = colour('text');
      for (const [from, to] of figure.arrows) {
        const [a, b] = [figure.points[from], figure.points[to]].map((point) => [x.getPixelForValue(point.x), y.getPixelForValue(point.y)]);
        const angle = Math.atan2(b[1] - a[1], b[0] - a[0]), tip = [b[0] - 9 * Math.cos(angle), b[1] - 9 * Math.sin(angle)];
        ctx.beginPath();
        ctx.moveTo(...a); ctx.lineTo(...tip);
        for (const turn of [2.7, -2.7]) { ctx.moveTo(...tip); ctx.lineTo(tip[0] + 8 * Math.cos(angle + turn), tip[1] + 8 * Math.sin(angle + turn)); }
        ctx.stroke();
      }
      ctx.restore();
    },
  });

  // Points and lines between two axes.
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
      const isCrowd = points.length > crowd;
      this.chart = new Chart(plot.querySelector('canvas'), {
        type: 'scatter',
        data: { datasets: [
          { data: points, order: 0, pointRadius: isCrowd ? 2 : 5, pointHoverRadius: isCrowd ? 5 : 8,
            backgroundColor: points.map((point) => point.series >= 0 ? seriesColour(point.series) : barColour(point.tone)),
            borderColor: colour('surface'), borderWidth: isCrowd ? 0 : 1.5,
            pointStyle: points.map((point) => point.series >= 0 || tones[point.tone] === 'good' ? 'circle' : 'triangle') },
          ...lines.map((line) => ({ data: line.points.map(([x, y]) => ({ x, y })), order: 1, showLine: true, pointRadius: 0, pointHitRadius: 0,
            borderColor: line.series >= 0 ? seriesColour(line.series) : colour(line.dashed ? 'faint' : 'text'),
            borderWidth: line.dashed ? 1 : 1.5, borderDash: line.dashed ? [5, 4] : [] })),
        ] },
        options: {
          responsive: true, maintainAspectRatio: false, animation: false,
          plugins: { legend: { display: false }, tooltip: { displayColors: false, filter: (item) => item.datasetIndex === 0,
            callbacks: { label: (item) => (points[item.dataIndex].detail || points[item.dataIndex].label).split('\n') } } },
          scales: { x: axisOf(this.figure.x.scale, this.figure.x.title), y: axisOf(this.figure.y.scale, this.figure.y.title) },
        },
        plugins: [arrows(this.figure), names(this.figure)],
      });
    }
  }

  return { make, button, BarView, PlaneView };
})();
