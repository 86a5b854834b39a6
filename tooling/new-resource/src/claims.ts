import { globSync } from 'node:fs';
import { createOpenApiDocument, ROUTES } from '@gatehouse/api-contract';
import { describedCommands, pathOf } from '@gatehouse/cli/reference';
import { BUILT_IN, type BuiltInResource, type Resource, subjectTypes } from '@gatehouse/domain/resources';
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
    `package @gatehouse/${EXAMPLE_NAMES.several}`,
    `table ${spellings.snake(EXAMPLE_NAMES.several)}`,
  ];
  // Names that renaming does not change belong to code that all extensions share.
  const elsewhere = renaming(EXAMPLE_NAMES, { one: 'some-other-name', several: 'some-other-names' });
  return claims.filter((claim) => elsewhere(claim) !== claim).map(rename);
}

/** Returns the names that are taken in this checkout with these extensions. */
export async function takenClaims(
  extensions: readonly Extension[] = EXTENSIONS,
): Promise<ReadonlySet<Claim>> {
  const ofExtensions = await Promise.all(extensions.map((extension) => claimsOfExtension(extension)));
  return new Set([
    ...BUILT_IN.flatMap(claimsOfResource),
    ...claimsOfRoutes(Object.values(ROUTES)),
    ...ofExtensions.flat(),
    ...(await takenByCommands()),
    ...files('{packages,apps,tooling,tooling/lab}/*/package.json').map(
      (path) => `package ${JSON.parse(read(path)).name}`,
    ),
    ...files('packages/postgres/src/migrations/*.ts').flatMap((path) => tablesOf(read(path))),
  ]);
}

async function claimsOfExtension(extension: Extension): Promise<readonly Claim[]> {
  const routes = (await extension.http?.())?.routes ?? [];
  return [
    ...claimsOfResource(extension),
    ...(extension.command ? [`command ${extension.command.name}`] : []),
    // Its history is listed by an option with the name of the subject.
    ...subjectTypes(extension).map((subject) => `option --${subject.replaceAll('_', '-')} of audit list`),
    ...claimsOfRoutes(routes),
  ];
}

/** The first words of all commands, and the options that the audit log is listed by. */
async function takenByCommands(): Promise<readonly Claim[]> {
  const commands = await describedCommands();
  const auditList = commands.find((command) => pathOf(command) === 'gatehouse audit list');
  return [
    // Commander's own.
    'command help',
    ...commands.map((command) => `command ${pathOf(command).split(' ')[1]}`),
    ...(auditList?.options ?? []).map(({ long }) => `option ${long} of audit list`),
  ];
}

function claimsOfResource(resource: Resource | BuiltInResource): readonly Claim[] {
  const { name, scopes = {}, rules } = resource;
  return [
    `resource ${name}`,
    ...Object.keys(scopes).map((scope) => `scope ${scope}`),
    ...rules.map((rule) => `rule ${rule.name}`),
    ...subjectTypes(resource).map((subject) => `audit subject ${subject}`),
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
