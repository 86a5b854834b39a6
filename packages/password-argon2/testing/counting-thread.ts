import { parentPort } from 'node:worker_threads';

let times = 0;
parentPort?.on('message', () => {
  times += 1;
  parentPort?.postMessage({ value: `${times}` });
});
