import { registerHooks } from 'node:module';

/** The checks before a sign-in is counted, and their replacement: no cached refusals, and one queue for all. */
const SABOTAGE: Readonly<Record<string, readonly [from: string, to: string]>> = {
  '/cached-refusals.ts': ['return find(network) ?? find(account);', 'return undefined;'],
  '/limit-sign-ins.ts': ['queue(networkOf(address), ', "queue('', "],
  '/sign-in-capacity.ts': ['MAX_QUEUED_SIGN_INS / 4', 'MAX_QUEUED_SIGN_INS'],
};

// Sabotage, for `node --import`: one queue for the sign-ins of all networks, before their attempts are counted.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const [, sabotage] = Object.entries(SABOTAGE).find(([file]) => url.endsWith(file)) ?? [];
    if (!sabotage) return loaded;
    const source = String(loaded.source);
    const sabotaged = source.replace(...sabotage);
    if (sabotaged === source) throw new Error(`there is nothing to take away in ${url}`);
    return { ...loaded, source: sabotaged };
  },
});
