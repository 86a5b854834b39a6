import { attributes, type Html, html, unchanged } from '../../html.ts';

interface ChoosersParts {
  /** The name of all selects. */
  readonly field: string;
  readonly legend: string;
  readonly items: readonly { readonly id: number | string; readonly name: string }[];
  /** The labels of the answers, by their values. None is chosen in advance. */
  readonly answers: Readonly<Record<string, string>>;
  /** The values that were sent. */
  readonly chosen: readonly string[];
  readonly error: string | undefined;
}

/** Whether a select for each item would make the page small enough. */
export const areFew = (items: readonly unknown[], answers: readonly unknown[]) =>
  items.length * (answers.length + 2) <= MAX_OPTIONS;

/** Maximum number of options of all selects of a question. */
const MAX_OPTIONS = 120;

/**
 * Renders a select for each item. They have one name, and each value begins with the id of the item and a space, so the
 * form can have any number of items.
 */
export function choosers({ field, legend, items, answers, chosen, error }: ChoosersParts): Html {
  const described = error === undefined ? {} : { 'aria-describedby': `${field}-error` };
  const selects = items.map(({ id: item, name: label }, index) => {
    // Only the first one has the name of the field as its id, for links to it.
    const id = index === 0 ? field : `${field}-${index}`;
    const options = Object.entries(answers).map(([answer, text]) => {
      const value = `${item} ${answer}`;
      return html`<option${attributes({ value: unchanged(value), selected: chosen.includes(value) })}>${text}</option>`;
    });
    return html`<div class="field"><label for="${id}">${label}</label><select${attributes({ id, name: field, ...described })}><option value="">Choose</option>${options}</select></div>`;
  });
  return html`<fieldset class="field"${attributes(described)}><legend>${legend}</legend>${
    error === undefined ? null : html`<p class="error" id="${field}-error">${error}</p>`
  }${selects}</fieldset>`;
}

/** Reads the values of such selects: the answers, by the ids of the items. Items without an answer are left out. */
export function pairsOf(values: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    values.flatMap((value) => {
      const at = value.indexOf(' ');
      return at < 0 ? [] : [[value.slice(0, at), value.slice(at + 1)] as const];
    }),
  );
}
