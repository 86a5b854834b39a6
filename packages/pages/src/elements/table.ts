import { attributes, type Html, html, type Shown } from '../html.ts';

interface TableParts<Row> {
  /** Names the table for screen readers. */
  readonly caption: string;
  /**
   * The columns by their labels. Each function renders the cell of a row. The first column contains the row headers.
   */
  readonly columns: Readonly<Record<string, (row: NoInfer<Row>) => Shown>>;
  /** The column whose label only screen readers read, such as `Action` above buttons. */
  readonly hiddenLabel?: string;
  readonly rows: readonly Row[];
  /**
   * The CSS class of a table with many rows. On narrow screens, style.css shows the labels of the columns for this
   * class. In a table without a class, the HTML of each cell repeats the label. `cards-even` gives the columns fixed
   * widths.
   */
  readonly list?: string;
}

/** A table. On a narrow screen each row becomes a card. */
export function table<Row>(parts: TableParts<Row>): Html {
  const { caption, hiddenLabel, rows, list } = parts;
  const columns = Object.entries(parts.columns);
  const head = columns.map(
    ([label]) =>
      html`<th scope="col">${label === hiddenLabel ? html`<span class="visually-hidden">${label}</span>` : label}</th>`,
  );
  const lines = rows.map(
    (row) =>
      html`<tr>${columns.map(([label, cell], index) => {
        if (index === 0) return html`<th scope="row">${cell(row)}</th>`;
        if (label === hiddenLabel) return html`<td class="bare">${cell(row)}</td>`;
        return html`<td${attributes({ 'data-label': list === undefined && label })}>${cell(row)}</td>`;
      })}</tr>
`,
  );
  return html`<table class="cards${list && ` ${list}`}"><caption class="visually-hidden">${caption}</caption><thead><tr>${head}</tr></thead><tbody>
${lines}</tbody></table>`;
}
