export * from './body-pieces.ts';
export * from './client-address.ts';
export * from './connection-limits.ts';
export * from './late-bodies.ts';
export * from './listening-sockets.ts';
export * from './request-handler.ts';
export * from './responses.ts';
export * from './turns.ts';
