import { globSync } from 'node:fs';
import { createOpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { describedCommands, pathOf } from '@gatehouse/cli/reference';
import { BUILT_IN, type Resource } from '@gatehouse/domain/resources';
import type { Extension } from '@gatehouse/extension-kit';
import type { Route } from '@gatehouse/extension-kit/http';
import { EXTENSIONS } from '@gatehouse/extensions';
import { shiftNotes } from '@gatehouse/shift-notes';
import { EXAMPLE_NAMES } from './copy.ts';
import { type Names, spellings } from './names.ts';
import { renaming } from './rename.ts';
import { ROOT, read } from './workspace.ts';

/** A name that only one thing of its kind may have, such as `scope work-orders:read`. */
export type Claim = string;

/** The names that a copy takes: those of the example, renamed. */
export async function claimsOfCopy(names: Names): Promise<readonly Claim[]> {
  const rename = renaming(EXAMPLE_NAMES, names);
  const claims = [
    ...(await claimsOfExtension(shiftNotes)),
    `command ${EXAMPLE_NAMES.one}`,
    `package @gatehouse/${EXAMPLE_NAMES.several}`,
    `table ${spellings.snake(EXAMPLE_NAMES.several)}`,
  ];
  // What no renaming changes comes from what all extensions share.
  const elsewhere = renaming(EXAMPLE_NAMES, { one: 'some-other-name', several: 'some-other-names' });
  return claims.filter((claim) => elsewhere(claim) !== claim).map(rename);
}

/** The names that are taken in this checkout. */
export async function takenClaims(): Promise<ReadonlySet<Claim>> {
  const extensions = await Promise.all(EXTENSIONS.map((extension) => claimsOfExtension(extension)));
  const commands = (await describedCommands()).map((command) => `command ${pathOf(command).split(' ')[1]}`);
  return new Set([
    ...BUILT_IN.flatMap(claimsOfResource),
    ...claimsOfRoutes(Object.values(ROUTES)),
    ...extensions.flat(),
    ...commands,
    ...files('{packages,apps,tooling}/*/package.json').map(
      (path) => `package ${JSON.parse(read(path)).name}`,
    ),
    ...files('packages/postgres/src/migrations/*.ts').flatMap((path) => tablesOf(read(path))),
  ]);
}

async function claimsOfExtension(extension: Extension): Promise<readonly Claim[]> {
  const routes = (await extension.http?.())?.routes ?? [];
  return [...claimsOfResource(extension), ...claimsOfRoutes(routes)];
}

function claimsOfResource({ name, scopes = {}, rules, actions = {} }: Resource): readonly Claim[] {
  return [
    `resource ${name}`,
    ...Object.keys(scopes).map((scope) => `scope ${scope}`),
    ...rules.map((rule) => `rule ${rule.name}`),
    ...Object.keys(actions).map((action) => `audit subject ${action.split('.')[0]}`),
  ];
}

function claimsOfRoutes(routes: readonly Route[]): readonly Claim[] {
  return [
    ...routes.map(({ method, path }) => `route ${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    ...routes.map(({ operationId }) => `operation ${operationId}`),
    ...Object.keys(createOpenApiDocument('paseto', routes).components.schemas).map(
      (name) => `schema ${name}`,
    ),
  ];
}

const files = (pattern: string) => globSync(pattern, { cwd: ROOT });

const tablesOf = (migration: string): readonly Claim[] =>
  Array.from(migration.matchAll(/create table (?:if not exists )?(\w+)/g), ([, name]) => `table ${name}`);
