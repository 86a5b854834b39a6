import { expect, test } from 'vitest';
import { defineRule } from '../access/index.ts';
import { err, ok } from '../result.ts';
import { BUILT_IN } from './built-in.ts';
import { createCatalog } from './catalog.ts';
import { defineResource } from './resource.ts';

const READ = defineRule('shift-notes:read', { scope: 'shift-notes:read', users: 'members' });
const NOTES = defineResource({
  name: 'shift-notes',
  scopes: { 'shift-notes:read': { label: 'Read shift notes', allows: 'The notes of organizations.' } },
  rules: [READ],
  actions: { 'shift_note.created': 'created the shift note' },
});

test('a catalog lists what all resources describe, after what has always been there', () => {
  const catalog = createCatalog([...BUILT_IN, NOTES]);
  expect(catalog.scopes).toEqual(['*', 'me:read', 'orgs:read', 'shift-notes:read']);
  expect(catalog.rules.at(-1)).toBe(READ);
  expect([catalog.actions[0], catalog.actions.at(-1)]).toEqual(['account.created', 'shift_note.created']);
  expect(catalog.scopeWords('shift-notes:read')?.label).toBe('Read shift notes');
  expect(catalog.actionWords('shift_note.created')).toBe('created the shift note');
});

test('a resource that is not here has no words, and actions of built-in ones have theirs in the pages', () => {
  const catalog = createCatalog(BUILT_IN);
  expect(catalog.scopeWords('shift-notes:read')).toBeUndefined();
  expect(catalog.actionWords('shift_note.created')).toBeUndefined();
  expect(catalog.actionWords('account.created')).toBeUndefined();
});

test('scopes are parsed if they are known, each once and in one order', () => {
  const { parseScopes } = createCatalog([...BUILT_IN, NOTES]);
  expect(parseScopes(['shift-notes:read', 'me:read', 'me:read'])).toEqual(
    ok(['me:read', 'shift-notes:read']),
  );
  const problems = [{ field: 'scope', message: 'must be one of *, me:read, orgs:read, shift-notes:read' }];
  for (const texts of [[], ['orgs:write'], ['me:read', 'ORGS:READ'], ['constructor']]) {
    expect(parseScopes(texts)).toEqual(err({ code: 'invalid_input', problems }));
  }
});

test('two resources with a name, a rule or a type of subject in common are refused, and both are named', () => {
  const alike = { name: 'others', rules: [] };
  const notes = (other: typeof alike) => () => createCatalog([NOTES, other]);
  expect(notes({ ...alike, name: 'shift-notes' })).toThrow(
    'the resources shift-notes and shift-notes have the same name: shift-notes',
  );
  expect(() => createCatalog([NOTES, { ...alike, rules: [READ] }])).toThrow(
    'the resources shift-notes and others have the same rule: shift-notes:read',
  );
  expect(() => createCatalog([NOTES, { ...alike, actions: { 'shift_note.closed': 'closed' } }])).toThrow(
    'the resources shift-notes and others have the same type of subject: shift_note',
  );
});

test('a scope that is not of the resource, and a rule whose scope nothing describes, are refused', () => {
  const words = { label: '', allows: '' };
  expect(() => defineResource({ name: 'notes', scopes: { 'orgs:read': words }, rules: [] })).toThrow(
    'notes: the scope orgs:read must begin with notes:',
  );
  expect(() => defineResource({ name: 'notes', rules: [READ] })).toThrow(
    'notes: the rule shift-notes:read needs shift-notes:read, which scopes must describe',
  );
});

test('scopes and actions without words are refused', () => {
  const words = { label: 'Read shift notes', allows: ' ' };
  const silent = { ...NOTES, scopes: { 'shift-notes:read': words } };
  expect(() => createCatalog([silent])).toThrow('the scope shift-notes:read has no words');
  expect(() => createCatalog([{ ...NOTES, actions: { 'shift_note.created': '' } }])).toThrow(
    'the action shift_note.created has no words',
  );
});
