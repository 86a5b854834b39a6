export { createOpenIdProviders, type OpenIdOptions } from './open-id-providers.ts';
export type { ExchangeLimits, OpenIdProvider } from './settings.ts';
