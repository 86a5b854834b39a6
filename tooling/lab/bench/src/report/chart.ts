import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';

export interface Chart {
  readonly title: string;
  /** The label of the axis. */
  readonly axis: string;
  /** Where the bars begin. */
  readonly from: number;
  readonly unit: string;
  readonly rows: readonly ChartRow[];
}

export interface ChartRow {
  readonly label: string;
  readonly value: number;
  readonly ours: boolean;
}

/** Draws bars in logarithmic steps: the contestants are orders of magnitude apart. */
export async function barChart({ title, axis, from, unit, rows }: Chart): Promise<string> {
  const labelled = rows.map((row) => ({
    ...row,
    text: `${row.value.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`,
  }));
  const y = { field: 'label', type: 'nominal', sort: null, title: null } as const;
  const end = Math.max(...rows.map((row) => row.value)) * 2;
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
            field: 'value',
            type: 'quantitative',
            scale: { type: 'log', nice: false, domain: [from * 0.8, end] },
            axis: {
              title: `${axis}, logarithmic`,
              format: '~g',
              values: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000],
            },
          },
          x2: { datum: from },
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
        encoding: { x: { field: 'value', type: 'quantitative' }, text: { field: 'text' } },
      },
    ],
    config: { axis: { labelLimit: 0, grid: false }, view: { stroke: null } },
  };
  return new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
}
