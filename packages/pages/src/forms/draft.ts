import type { UserId } from '@gatehouse/domain/users';
import type { FieldValues, FormFields } from './form-body.ts';
import { authenticate, isAuthentic } from './form-token.ts';

/** The values that a user typed into a form whose session had ended. The same form shows them after the next sign-in. */
export interface Draft {
  /** The page of the form. */
  readonly path: string;
  readonly values: DraftValues;
  /** The user who typed it. No other user sees it. */
  readonly user: UserId;
}

/** How long a draft is kept for its page, in seconds. */
export const DRAFT_SECONDS = 60;

type DraftValues = Readonly<Record<string, string | readonly string[]>>;

/** The values without those that are never shown again. */
export function withoutSecrets<F extends FormFields>(fields: F, values: FieldValues<F>): DraftValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => fields[name] !== 'secret'));
}

/** Seals a draft with the key, which proves who wrote it. Returns undefined if it is too long. */
export function sealDraft({ path, values, user }: Draft, key: string, maxLength: number): string | undefined {
  const written = Buffer.from(JSON.stringify([path, values, user])).toString('base64url');
  const sealed = `${written}.${authenticate(key, 'draft', [written])}`;
  return sealed.length <= maxLength ? sealed : undefined;
}

export function openDraft(sealed: string | undefined, key: string): Draft | undefined {
  const [written = '', mac = '', ...more] = sealed?.split('.') ?? [];
  if (more.length > 0 || !isAuthentic(mac, key, 'draft', [written])) return undefined;
  return parseDraft(Buffer.from(written, 'base64url').toString());
}

/** Users know the secrets of their own cookies, so an authentic text can still be anything. */
function parseDraft(text: string): Draft | undefined {
  try {
    const [path, values, user]: unknown[] = JSON.parse(text);
    return typeof path === 'string' &&
      typeof values === 'object' &&
      values !== null &&
      typeof user === 'number'
      ? { path, values: values as DraftValues, user: user as UserId }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the values of these fields. Another version of the page may have had other fields. */
export function draftValues<F extends FormFields>(fields: F, { values }: Draft): FieldValues<F> {
  const entries = Object.entries(fields).map(([name, kind]) => {
    const value = values[name];
    if (kind === 'choices') return [name, Array.isArray(value) ? value : []];
    return [name, kind === 'text' && typeof value === 'string' ? value : ''];
  });
  return Object.fromEntries(entries);
}
