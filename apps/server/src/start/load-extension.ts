import { checkRefusals } from '@gatehouse/domain/resources';
import type { Extension } from '@gatehouse/extension-kit';
import { type HandledRoute, PROBLEMS, type Route } from '@gatehouse/extension-kit/http';
import { type ExtensionUseCasePorts, loadExtension } from '@gatehouse/installation';
import { openRoutesOf } from '@gatehouse/installation/open-routes';
import type { Log } from '../logging/line-kind.ts';
import { reactionsOf } from '../reactions/extension-reactions.ts';

/** An extension with the modules that a server needs. */
export type LoadedExtension = Awaited<ReturnType<typeof loadServedExtension>>;

/**
 * Loads the modules of extensions that a server needs: domain, storage and HTTP routes.
 *
 * @throws TypeError if an extension uses a code for a refusal that another extension or Gatehouse uses
 */
export async function loadServedExtensions(
  extensions: readonly Extension[],
): Promise<readonly LoadedExtension[]> {
  checkRefusals(extensions, Object.keys(PROBLEMS));
  return Promise.all(extensions.map(loadServedExtension));
}

async function loadServedExtension<UseCases>(extension: Extension<unknown, UseCases>) {
  const [createUseCases, { migrations, belongings }, http] = await Promise.all([
    loadExtension(extension),
    extension.postgres(),
    extension.http?.(),
  ]);
  const routes = http?.routes ?? [];
  return {
    /** The tables of the extension whose rows belong to an organization or an account. */
    stored: { name: extension.name, migrations, belongings },
    /** The name and the guards of the extension. */
    guarding: extension,
    /** The routes that everyone can call, because they have no rule, although they do not declare themselves public. */
    openRoutes: openRoutesOf(extension.name, routes),
    /**
     * @throws TypeError if the extension serves a route that it does not list, or lists with another rule or `public`
     */
    createRoutes(ports: ExtensionUseCasePorts): readonly HandledRoute[] {
      const served = http?.serve(createUseCases(ports)) ?? [];
      checkServed(extension.name, routes, served);
      return served;
    },
    /** @throws TypeError if a reaction waits for an action that is not among these */
    createReactions: (ports: ExtensionUseCasePorts, actions: readonly string[]) =>
      reactionsOf(extension, createUseCases(ports), actions),
  };
}

/**
 * Warns of routes that everyone can call although they do not declare themselves public. An extension may have such
 * routes if it was built before `public` was added to the extension kit.
 */
export function warnOfOpenRoutes(extensions: readonly LoadedExtension[], log: Pick<Log, 'warn'>): void {
  for (const { extension, route } of extensions.flatMap(({ openRoutes }) => openRoutes)) {
    log.warn(
      { extension, route },
      'everyone can call this route: add a `rule` or `public: true` to it in the extension',
    );
  }
}

/**
 * Checks that an extension serves only the routes in its list, each with the listed `rule` and `public`. The OpenAPI
 * document, the warning of open routes and `gatehouse doctor` read that list.
 *
 * @throws TypeError if the extension serves a route that is not listed, or one whose `rule` or `public` differs
 */
export function checkServed(extension: string, listed: readonly Route[], served: readonly HandledRoute[]) {
  for (const { route } of served) {
    const { method, path } = route;
    const same = listed.find((each) => each.method === method && each.path === path);
    const named = `the extension ${extension} serves ${method} ${path}`;
    if (!same) throw new TypeError(`${named}, which its \`routes\` do not list: add the route to them`);
    if (same.rule !== route.rule || same.public !== route.public)
      throw new TypeError(
        `${named} with another \`rule\` or \`public\` than its \`routes\` say: serve the route that they list`,
      );
  }
}
