export { MULTIPART, multipart } from './multipart.ts';
export { NO_LOG, serveHandler } from './serve-handler.ts';
