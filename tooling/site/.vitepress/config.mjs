// VitePress looks for its configuration here. Node imports the rest, by an address that VitePress does not follow: else it
// would put all of it into one file, at another place.
const { config } = await import(new URL('../src/config.ts', import.meta.url).href);

export default config;
