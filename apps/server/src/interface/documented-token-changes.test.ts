import { readFileSync } from 'node:fs';
import { ROUTES } from '@gatehouse/api-contract';
import { expect, test } from 'vitest';

const PAGE = readFileSync(new URL('../../../../docs/use/token-changes.md', import.meta.url), 'utf8');
const schema = ROUTES.readTokenChanges.success.events;
const lines = Array.from(PAGE.matchAll(/^data: (.*)$/gm), ([, json = '']) => JSON.parse(json));

test('each line on the page about the stream is one that a server may write', () => {
  for (const line of lines) expect(schema.parse(line)).toEqual(line);
  expect(lines.flatMap(Object.keys)).toEqual(['hello', 'changed', 'proof']);
  expect(lines.at(-1).proof.position).toBe(lines.length - 1);
});

test('the page explains each member', () => {
  for (const member of lines.flatMap((line) => Object.keys(line.hello ?? line.proof ?? {})))
    expect(PAGE).toContain(`| \`${member}\` |`);
});
