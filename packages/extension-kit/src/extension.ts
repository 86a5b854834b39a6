import { defineResource, type Resource } from '@gatehouse/domain/resources';
import type { CliLayer } from './cli/layer.ts';
import type { ExtensionPorts } from './domain/index.ts';
import type { HandledRoute, Route } from './http/index.ts';
import type { PostgresLayer } from './postgres/layer.ts';
import type { Refusal } from './refusals.ts';
import type { ExtensionTesting } from './testing/index.ts';

/** The use cases of an extension. */
export interface DomainLayer<Store, UseCases> {
  createUseCases(ports: ExtensionPorts<Store>): UseCases;
}

/** The routes of an extension. */
export interface HttpLayer<UseCases> {
  /** For the document and the tests. */
  readonly routes: readonly Route[];
  /** Says how each of them is answered. */
  serve(useCases: UseCases): readonly HandledRoute[];
}

/**
 * A resource that its own package brings. Every process loads what stands here, names and words; the layers are loaded by
 * those that need them.
 */
export interface Extension<Store = unknown, UseCases = unknown> extends Resource {
  /** Its own expected errors. */
  readonly refusals?: Readonly<Record<string, Refusal>>;
  /** Loads its domain. */
  domain(): Promise<DomainLayer<Store, UseCases>>;
  /** Loads how it is stored. */
  postgres(): Promise<PostgresLayer<Store>>;
  /** Its word on the command line, such as `shift-note`, and what its commands are for. */
  readonly command?: { readonly name: string; readonly summary: string };
  /** Loads its commands. */
  cli?(): Promise<CliLayer<UseCases>>;
  /** Loads its routes. */
  http?(): Promise<HttpLayer<UseCases>>;
  /** Loads what the suites of all extensions need; only tests do. */
  testing(): Promise<ExtensionTesting<Store>>;
}

/**
 * Describes an extension. `Store` and `UseCases` follow from its layers.
 *
 * @throws TypeError as `defineResource`
 */
export function defineExtension<Store, UseCases>(
  extension: Extension<Store, UseCases>,
): Extension<Store, UseCases> {
  return defineResource(extension);
}
