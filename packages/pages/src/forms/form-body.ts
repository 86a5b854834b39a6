import { err, ok } from '@gatehouse/domain';
import type { HttpRequest } from '@gatehouse/http';
import { isPlainForm, parseForm } from '@gatehouse/http';

/**
 * `secret` fields, such as passwords, are never shown again. `choices` may occur any number of times, other fields
 * once.
 */
export type FieldKind = 'text' | 'secret' | 'choices';

export type FormFields = Readonly<Record<string, FieldKind>>;

/** The values of a form's fields. A field that was not sent is empty. */
export type FieldValues<F extends FormFields> = {
  readonly [Name in keyof F]: F[Name] extends 'choices' ? readonly string[] : string;
};

/** The field that every form has besides its own. */
export const TOKEN_FIELD = 'form_token';
export const TARGET_FIELD = 'form_target';

/** Reads a form with these fields. It refuses other fields and repeated ones, which no page of ours sends. */
export async function readForm<F extends FormFields>(request: HttpRequest, fields: F) {
  if (!isPlainForm(request)) return err('unsupported_media_type');
  const bytes = await request.body();
  if (bytes === 'too_large') return err('body_too_large');
  const pairs = bytes === 'aborted' ? undefined : parseForm(bytes);
  if (!pairs) return err('malformed_body');

  const kinds = new Map<string, FieldKind>([
    ...Object.entries(fields),
    [TOKEN_FIELD, 'text'],
    [TARGET_FIELD, 'text'],
  ]);
  const found = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const kind = kinds.get(name);
    const values = found.get(name);
    if (kind === undefined || (values && kind !== 'choices')) return err('malformed_body');
    if (values) values.push(value);
    else found.set(name, [value]);
  }
  const text = (name: string) => found.get(name)?.[0] ?? '';
  const values = Object.entries(fields).map(([name, kind]) => [
    name,
    kind === 'choices' ? (found.get(name) ?? []) : text(name),
  ]);
  return ok({
    values: Object.fromEntries(values) as FieldValues<F>,
    token: text(TOKEN_FIELD),
    target: text(TARGET_FIELD),
  });
}
