import type { UserId } from '@gatehouse/domain/users';
import { expect, test } from 'vitest';
import { draftValues, openDraft, sealDraft, withoutSecrets } from './draft.ts';
import { authenticate, formToken, isFormToken, userOfForm } from './form-token.ts';

const [SECRET, OTHER] = ['a'.repeat(43), 'b'.repeat(43)];
const USER = 7 as UserId;

test('the token of a form is for one session, one path and one target', () => {
  const token = formToken(SECRET, { path: '/a', target: 'x' });
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(isFormToken(token, SECRET, { path: '/a', target: 'x' })).toBe(true);
  for (const [secret, path, target] of [
    [OTHER, '/a', 'x'],
    [SECRET, '/b', 'x'],
    [SECRET, '/a', 'y'],
    [SECRET, '/a', ''],
    [SECRET, '/ax', ''],
    [SECRET, '/', 'ax'],
  ] as const) {
    expect(isFormToken(token, secret, { path, target })).toBe(false);
  }
  for (const forged of ['', 'x', token.slice(1), `${token}x`, token.toUpperCase(), `ä${token.slice(1)}`]) {
    expect(isFormToken(forged, SECRET, { path: '/a', target: 'x' })).toBe(false);
  }
});

test('the token of a form is for one user, whom it names', () => {
  const [one, other] = [7 as UserId, 77 as UserId];
  const purpose = { path: '/a', target: 'x' };
  const token = formToken(SECRET, { ...purpose, user: one });
  expect(token).toMatch(/^7\.[\w-]{43}$/);
  expect(userOfForm(token)).toBe(one);
  expect(isFormToken(token, SECRET, { ...purpose, user: one })).toBe(true);
  expect(isFormToken(token, SECRET, { ...purpose, user: other })).toBe(false);
  expect(isFormToken(token.replace('7.', '77.'), SECRET, { ...purpose, user: other })).toBe(false);
  expect(isFormToken(token, SECRET, purpose)).toBe(false);
  for (const text of ['', 'x', formToken(SECRET, purpose), '0.x', '-1.x', `${'9'.repeat(16)}.x`]) {
    expect(userOfForm(text)).toBeUndefined();
  }
});

test('what is authenticated for one purpose is worth nothing for another', () => {
  expect(isFormToken(authenticate(SECRET, 'draft', ['/a', '']), SECRET, { path: '/a' })).toBe(false);
});

test('a draft is what this browser typed, without passwords', () => {
  const fields = {
    name: { label: 'Name' },
    scope: { label: 'Scopes', type: 'checkbox' },
    password: { label: 'Password', type: 'password' },
  } as const;
  const values = withoutSecrets(fields, { name: 'ERP "1"', scope: ['a', 'b'], password: 'hunter2' });
  const sealed = sealDraft({ path: '/a?b', values, user: USER }, SECRET) ?? '';
  expect(sealed).toMatch(/^[\w.-]+$/);
  expect(Buffer.from(sealed, 'base64url').toString()).not.toContain('hunter2');
  const opened = openDraft(sealed, SECRET);
  expect([opened?.path, opened?.user]).toEqual(['/a?b', USER]);
  expect(opened && draftValues(fields, opened)).toEqual({ name: 'ERP "1"', scope: ['a', 'b'], password: '' });
  expect(openDraft(sealed, OTHER)).toBeUndefined();
  expect(openDraft(`${sealed}.x`, SECRET)).toBeUndefined();
  expect(openDraft(sealed.replace(/^./, 'X'), SECRET)).toBeUndefined();
  expect(openDraft(undefined, SECRET)).toBeUndefined();
  const long = { path: '/a', values: { name: 'x'.repeat(4000) }, user: USER };
  expect(sealDraft(long, SECRET)).toBeUndefined();
});

test('a draft of another version of a form fills in the fields that there still are', () => {
  const draft = { path: '/a', values: { name: ['x'], scope: 'y', gone: 'z' }, user: USER };
  const fields = {
    name: { label: 'Name' },
    scope: { label: 'Scopes', type: 'checkbox' },
    new: { label: 'New' },
  } as const;
  expect(draftValues(fields, draft)).toEqual({
    name: '',
    scope: [],
    new: '',
  });
});

test.each(['null', '{}', '["/a"]', '["/a",null]', '[1,{},1]', '["/a",{}]', '["/a",{},"1"]', 'no JSON'])(
  'a draft that a user sealed without the form is none: %s',
  (text) => {
    const written = Buffer.from(text).toString('base64url');
    expect(openDraft(`${written}.${authenticate(SECRET, 'draft', [written])}`, SECRET)).toBeUndefined();
  },
);
