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
  /** The columns that can sort the rows, by their labels. */
  readonly sort?: Readonly<Record<string, ColumnSort | undefined>>;
}

/** How a list is sorted by a column. */
export interface ColumnSort {
  /** The address of the list in the next order of this column. */
  readonly href: string;
  /** The order that the list has now, if this column is the one that sorts it. */
  readonly now?: 'ascending' | 'descending' | undefined;
}

/** A table. On a narrow screen each row becomes a card. */
export function table<Row>(parts: TableParts<Row>): Html {
  const { caption, hiddenLabel, rows, list, sort = {} } = parts;
  const columns = Object.entries(parts.columns);
  const head = columns.map(([label]) => {
    if (label === hiddenLabel)
      return html`<th scope="col"><span class="visually-hidden">${label}</span></th>`;
    const by = sort[label];
    if (by === undefined) return html`<th scope="col">${label}</th>`;
    return html`<th scope="col"${attributes({ 'aria-sort': by.now })}><a${attributes({ href: by.href })}>${label}</a></th>`;
  });
  const lines = rows.map(
    (row) =>
      html`<tr>${columns.map(([label, cell], index) => {
        if (index === 0) return html`<th scope="row">${cell(row)}</th>`;
        if (label === hiddenLabel) return html`<td class="bare">${cell(row)}</td>`;
        return html`<td${attributes({ 'data-label': list === undefined && label })}>${cell(row)}</td>`;
      })}</tr>`,
  );
  return html`<table class="cards${list && ` ${list}`}"><caption class="visually-hidden">${caption}</caption><thead><tr>${head}</tr></thead><tbody>
${lines}</tbody></table>`;
}
