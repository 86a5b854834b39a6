import { defineResource, type Resource } from '@gatehouse/domain/resources';
import type { CliLayer } from './cli/layer.ts';
import type { ExtensionPorts } from './domain/index.ts';
import { checkGuards, type Guard } from './guard.ts';
import type { HandledRoute, Route } from './http/index.ts';
import type { PostgresLayer } from './postgres/layer.ts';
import { checkReactionNames, type Reaction } from './reaction.ts';
import type { Refusal } from './refusals.ts';
import type { ExtensionTesting } from './testing/index.ts';

/** The use cases of an extension. */
export interface DomainLayer<Store, UseCases> {
  createUseCases(ports: ExtensionPorts<Store>): UseCases;
}

/** The routes of an extension. */
export interface HttpLayer<UseCases> {
  /** The routes, for the OpenAPI document and the tests. */
  readonly routes: readonly Route[];
  /** Connects each route with the use case that answers it. */
  serve(useCases: UseCases): readonly HandledRoute[];
}

/**
 * A resource in its own package. Every process loads this description, with names and words. A process loads a layer,
 * such as `http`, only if it uses that layer.
 */
export interface Extension<Store = unknown, UseCases = unknown> extends Resource {
  /** The extension's own expected errors. */
  readonly refusals?: Readonly<Record<string, Refusal>>;
  /** Loads the extension's domain layer. */
  domain(): Promise<DomainLayer<Store, UseCases>>;
  /** Loads the extension's storage in PostgreSQL. */
  postgres(): Promise<PostgresLayer<Store>>;
  /** The first word of the extension's commands, such as `shift-note`, and a summary of their purpose. */
  readonly command?: { readonly name: string; readonly summary: string };
  /** Loads the extension's commands. */
  cli?(): Promise<CliLayer<UseCases>>;
  /** Loads the extension's routes. */
  http?(): Promise<HttpLayer<UseCases>>;
  /** Functions that servers call when something has happened. Commands do not call them. */
  readonly reactions?: readonly Reaction<UseCases>[];
  /** Functions that can forbid an action, in the browser and on the command line. */
  readonly guards?: readonly Guard[];
  /** Loads the examples for the test suites that run for every extension. Only tests call this. */
  testing(): Promise<ExtensionTesting<Store>>;
}

/**
 * Describes an extension. `Store` and `UseCases` follow from its layers.
 *
 * @throws TypeError if a name of the extension or of a reaction is invalid (see `defineResource`), or if a guard has a foreign refusal
 */
export function defineExtension<Store, UseCases>(
  extension: Extension<Store, UseCases>,
): Extension<Store, UseCases> {
  checkReactionNames(extension.name, extension.reactions ?? []);
  checkGuards(extension.name, extension.guards ?? [], extension.refusals ?? {});
  return defineResource(extension);
}
