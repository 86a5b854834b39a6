import { attributes, type Html, html, type Shown } from '../html.ts';

interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => Shown;
  /** Whether the cells are the row headers; one column has this. */
  readonly isHeader?: boolean;
  /** Whether only screen readers need the label, as in a column of buttons. */
  readonly isLabelHidden?: boolean;
}

interface TableParts<Row> {
  /** For screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Whether columns keep their widths whatever their cells contain, such as a long name. */
  readonly isEven?: boolean;
  /** The class of a list with many rows. style.css has its labels for narrow screens; in other tables each row has them. */
  readonly list?: string;
}

/** A table, whose rows are cards on a narrow screen. */
export function table<Row>({ caption, columns, rows, isEven = false, list }: TableParts<Row>): Html {
  const head = columns.map(
    ({ label, isLabelHidden }) =>
      html`<th scope="col">${isLabelHidden ? html`<span class="visually-hidden">${label}</span>` : label}</th>`,
  );
  const lines = rows.map(
    (row) =>
      html`<tr>${columns.map(({ label, cell, isHeader, isLabelHidden }) => {
        if (isHeader) return html`<th scope="row">${cell(row)}</th>`;
        if (isLabelHidden) return html`<td class="bare">${cell(row)}</td>`;
        return html`<td${attributes({ 'data-label': list === undefined && label })}>${cell(row)}</td>`;
      })}</tr>
`,
  );
  return html`<table class="cards${isEven && ' cards-even'}${list && ` ${list}`}"><caption class="visually-hidden">${caption}</caption><thead><tr>${head}</tr></thead><tbody>
${lines}</tbody></table>`;
}
