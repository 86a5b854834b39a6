import type { ListAuditEventsInput } from '@gatehouse/domain/audit';
import { subjectTypes } from '@gatehouse/domain/resources';
import type { Options } from '@gatehouse/extension-kit/cli';
import type { Resources } from '../../described/description.ts';
import { EMAIL, KEY_ID, NAME, ORGANIZATION_ID, TOKEN_ID } from '../../input/parsers.ts';

/** An option that names the subject of a history, and how the audit log names it. */
type SubjectOption = Options[string] & { readonly type: string };

const SUBJECTS = {
  token: { ...TOKEN_ID, description: "List a token's history", type: 'token' },
  user: { ...EMAIL, description: "List a user's history", type: 'user' },
  org: { ...ORGANIZATION_ID, description: "List an organization's history", type: 'organization' },
  key: { ...KEY_ID, description: "List a signing key's history", type: 'key' },
};

/** The options for subjects of Gatehouse and of extensions; one of them can be given. */
export function subjectOptions(extensions: Resources['extensions']): Readonly<Record<string, SubjectOption>> {
  const others = extensions.flatMap(subjectTypes).map((type): readonly [string, SubjectOption] => {
    const description = `List the history of a ${type.replaceAll('_', ' ')}`;
    return [
      type.replace(/_\w/g, ([, letter = '']) => letter.toUpperCase()),
      { ...NAME, value: 'id', description, type },
    ];
  });
  const all = [...Object.entries<SubjectOption>(SUBJECTS), ...others];
  const conflicts = all.map(([name]) => name);
  return Object.fromEntries(
    all.map(([name, option]) => [
      name,
      { ...option, column: 'SUBJECT', conflicts: conflicts.filter((each) => each !== name) },
    ]),
  );
}

/** The subject that one of the options names. */
export function subjectOf(
  options: Readonly<Record<string, SubjectOption>>,
  given: Readonly<Record<string, unknown>>,
): ListAuditEventsInput['subject'] {
  const [name, option] = Object.entries(options).find(([each]) => given[each] !== undefined) ?? [];
  if (name === undefined || option === undefined) return undefined;
  const { type } = option;
  return type === 'user' ? { type, email: String(given[name]) } : { type, id: String(given[name]) };
}
