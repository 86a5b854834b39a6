import { attributes, type Html, html, unchanged } from '../html.ts';
import type { ShownField } from './form.ts';

/** A box of a `checkbox`, or a button of a `radio`. */
export interface Choice {
  readonly value: string;
  readonly label: Html | string;
  readonly hint?: Html | string;
}

/** Boxes or buttons of a field that belong together, with a legend of their own. */
export interface ChoiceGroup {
  readonly legend: Html | string;
  readonly hint?: Html | string | null;
  readonly choices: readonly Choice[];
}

/** Renders the boxes or buttons of a field. Only the first one has the name of the field as its id, for links to it. */
export function choicesOf(field: ShownField): Html {
  const { name, choices = [], groups = [] } = field;
  let shown = 0;
  const all = (each: readonly Choice[]) =>
    each.map((choice) => {
      shown += 1;
      return choiceOf(field, choice, shown - 1);
    });
  const ungrouped = all(choices);
  const grouped = groups.map(({ legend, hint, choices: ofGroup }, index) => {
    const id = `${name}-group-${index}`;
    const about = hint ? html`<p class="hint" id="${id}">${hint}</p>` : null;
    const described = attributes({ 'aria-describedby': about && id });
    return html`<fieldset class="choices"${described}><legend>${legend}</legend>${about}${all(ofGroup)}</fieldset>`;
  });
  return html`${ungrouped}${grouped}`;
}

function choiceOf(field: ShownField, { value, label, hint }: Choice, index: number): Html {
  const { name, type, hasFocus, value: chosen = [] } = field;
  const id = index === 0 ? name : `${name}-${index}`;
  const state = attributes({
    id,
    type,
    name,
    value: unchanged(value),
    checked: [chosen].flat().includes(value),
    autofocus: index === 0 && hasFocus,
    'aria-describedby': hint === undefined ? undefined : `${id}-about`,
  });
  return html`<div class="choice"><input${state}><label for="${id}">${label}</label>${
    hint === undefined ? null : html`<p class="hint" id="${id}-about">${hint}</p>`
  }</div>`;
}
