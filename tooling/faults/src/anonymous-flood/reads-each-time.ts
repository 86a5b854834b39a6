import { registerHooks } from 'node:module';

// Sabotage, for `node --import`: each request for a key set reads the database by itself.
const BROKEN = new Map([
  ['/cached-signing-keys.ts', ['if (!isFresh()) {', 'if (true) {']],
  [
    '/coalesced-reads.ts',
    ['return (key, read) => {', 'return (_key, read) => read();\n  return (key, read) => {'],
  ],
]);

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const [, broken] = [...BROKEN].find(([name]) => url.endsWith(name)) ?? [];
    if (!broken) return loaded;
    const [whole = '', part = ''] = broken;
    const source = String(loaded.source);
    if (!source.includes(whole)) throw new Error('there is no sharing to take away');
    return { ...loaded, source: source.replace(whole, part) };
  },
});
