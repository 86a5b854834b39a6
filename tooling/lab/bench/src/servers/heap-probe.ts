// Loaded into a server before its own program: reports the heap after garbage collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

process.on('message', () => {
  // The second collection collects memory that finalizers released.
  collect();
  setImmediate(() => {
    collect();
    process.send?.({ heapBytes: process.memoryUsage().heapUsed });
  });
});
