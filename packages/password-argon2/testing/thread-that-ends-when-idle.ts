import { parentPort } from 'node:worker_threads';

parentPort?.once('message', () => {
  parentPort?.postMessage({ value: '1' });
  setImmediate(() => process.exit());
});
