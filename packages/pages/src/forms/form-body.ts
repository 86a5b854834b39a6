import { err, ok } from '@gatehouse/domain';
import { type HttpRequest, isPlainForm, parseForm } from '@gatehouse/http';
import { type Fields, type FieldValues, TARGET_FIELD, TOKEN_FIELD } from '../elements/form.ts';

/**
 * Reads a form with these fields. Refuses a form with an unknown field or a repeated field, because no page of this
 * server sends one.
 */
export async function readForm<F extends Fields>(request: HttpRequest, fields: F) {
  if (!isPlainForm(request)) return err('unsupported_media_type');
  const bytes = await request.body();
  if (bytes === 'too_large') return err('body_too_large');
  const pairs = bytes === 'aborted' ? undefined : parseForm(bytes);
  if (!pairs) return err('malformed_body');

  const sent = Map.groupBy(pairs, ([name]) => name);
  const known = new Set([...Object.keys(fields), TOKEN_FIELD, TARGET_FIELD]);
  for (const [name, { length }] of sent)
    if (!known.has(name) || (length > 1 && fields[name]?.type !== 'checkbox')) return err('malformed_body');

  const valuesOf = (name: string) => (sent.get(name) ?? []).map(([, value]) => value);
  const text = (name: string) => valuesOf(name)[0] ?? '';
  const values = Object.entries(fields).map(([name, { type }]) => [
    name,
    type === 'checkbox' ? valuesOf(name) : text(name),
  ]);
  return ok({
    values: Object.fromEntries(values) as FieldValues<F>,
    token: text(TOKEN_FIELD),
    target: text(TARGET_FIELD),
  });
}
