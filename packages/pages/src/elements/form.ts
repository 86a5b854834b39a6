import { TARGET_FIELD, TOKEN_FIELD } from '../forms/form-body.ts';
import { attributes, type Html, html, unchanged } from '../html.ts';

interface FormParts {
  /** The path on this server to which it is sent. */
  readonly action: string;
  /** The target of the form token, which tells apart forms with the same path. */
  readonly target?: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly content: Html;
  /** Default: `fields`, a column of fields. */
  readonly layout?: 'fields' | 'inline';
}

/** A form that changes something, with its token. The context is the request of a page. */
export function form(
  { formToken }: { formToken(path: string, target?: string): string },
  { action, target, hidden = {}, content, layout = 'fields' }: FormParts,
): Html {
  const all = {
    [TOKEN_FIELD]: formToken(action, target),
    ...(target !== undefined && { [TARGET_FIELD]: target }),
    ...hidden,
  };
  const values = Object.entries(all).map(
    ([name, value]) => html`<input${attributes({ type: 'hidden', name, value: unchanged(value) })}>`,
  );
  return html`<form method="post" class="form-${layout}"${attributes({ action })}>${values}${content}</form>`;
}
