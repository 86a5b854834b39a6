import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

export interface ChartRow {
  readonly label: string;
  readonly ratio: number;
  readonly ours: boolean;
}

/** Draws bars from 1 on, in logarithmic steps: the contestants are orders of magnitude apart. */
export async function ratioChart(title: string, rows: readonly ChartRow[]): Promise<string> {
  const labelled = rows.map((row) => ({
    ...row,
    text: `${row.ratio.toLocaleString('en', { maximumSignificantDigits: 3 })} x`,
  }));
  const y = { field: 'label', type: 'nominal', sort: null, title: null } as const;
  const spec: TopLevelSpec = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    title: { text: title, anchor: 'start' },
    background: 'white',
    padding: 12,
    width: 480,
    data: { values: labelled },
    encoding: { y },
    layer: [
      {
        mark: { type: 'bar', cornerRadiusEnd: 2 },
        encoding: {
          x: {
            field: 'ratio',
            type: 'quantitative',
            scale: { type: 'log', nice: false, domain: [0.8, Math.max(...rows.map((row) => row.ratio)) * 2] },
            axis: {
              title: 'times bare node:http, logarithmic',
              format: '~g',
              values: [1, 2, 5, 10, 20, 50, 100, 200, 500],
            },
          },
          x2: { datum: 1 },
          color: {
            field: 'ours',
            type: 'nominal',
            scale: { domain: [true, false], range: ['#0f766e', '#94a3b8'] },
            legend: null,
          },
        },
      },
      {
        mark: { type: 'text', align: 'left', dx: 6 },
        encoding: { x: { field: 'ratio', type: 'quantitative' }, text: { field: 'text' } },
      },
    ],
    config: { axis: { labelLimit: 0, grid: false }, view: { stroke: null } },
  };
  return new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
}
