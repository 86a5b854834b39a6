// Measures the CPU time of one argon2id verification, in milliseconds over all threads, in a process that does nothing
// else.
import { createArgon2PasswordHasher } from '@gatehouse/password-argon2';
import { PASSWORD } from '../../population/directory.ts';

const times = Number(process.argv[2]);
const hasher = createArgon2PasswordHasher({ concurrency: 1, queueLimit: 0 });
const hashed = await hasher.hash(PASSWORD);
if (!hashed.ok) throw new Error(hashed.error.code);
await hasher.verify(PASSWORD, hashed.value);

const before = process.cpuUsage();
for (let time = 0; time < times; time++) await hasher.verify(PASSWORD, hashed.value);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / 1000 / times}`);
