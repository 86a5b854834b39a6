import type { HandledRoute, Route } from '@gatehouse/extension-kit/http';

/**
 * Checks that an extension serves only routes that it lists, each with the listed access: the OpenAPI document, the
 * warning of open routes and `doctor` read the list.
 *
 * @throws TypeError if it serves another route, or one with another rule
 */
export function checkServed(extension: string, listed: readonly Route[], served: readonly HandledRoute[]) {
  for (const { route } of served) {
    const { method, path } = route;
    const same = listed.find((each) => each.method === method && each.path === path);
    const named = `the extension ${extension} serves ${method} ${path}`;
    if (!same) throw new TypeError(`${named}, which its \`routes\` do not list: add it to them`);
    if (same.rule !== route.rule || same.public !== route.public)
      throw new TypeError(
        `${named} with another \`rule\` or \`public\` than its \`routes\` say: serve the listed one`,
      );
  }
}
