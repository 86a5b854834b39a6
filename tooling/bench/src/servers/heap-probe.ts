// Loaded into a server before its own program: tells what is on the heap when everything that nobody holds is gone.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

process.on('message', () => {
  // What finalizers let go of is collected the second time.
  collect();
  setImmediate(() => {
    collect();
    process.send?.({ heapBytes: process.memoryUsage().heapUsed });
  });
});
