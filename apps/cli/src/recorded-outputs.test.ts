import { expect, test, vi } from 'vitest';
import { createMemoryCli } from '../testing/memory-cli.ts';
import { SESSIONS } from '../testing/recorded-sessions.ts';
import { createTranscript } from '../testing/transcript.ts';
import { describedCommands, pathOf } from './reference.ts';

// What commands print is compared byte for byte with the files in recorded-outputs/. Standard output and exit statuses
// are an interface for programs.
// To record an intended change, run `vitest run apps/cli/src/recorded-outputs.test.ts --update`.

const recorded: string[] = [];

test.each(Object.entries(SESSIONS))('what commands of %s print is what was recorded', async (name, drive) => {
  vi.stubEnv('GATEHOUSE_AS', '');
  const cli = createMemoryCli();
  const session = { ...createTranscript(cli), cli };
  await drive(session);
  recorded.push(...session.lines);
  expect(cli.openCount(), 'everything that was opened is closed, also after a refusal').toBe(0);
  await expect(session.toString()).toMatchFileSnapshot(`recorded-outputs/${name}.txt`);
});

test('every command with output for programs is recorded, in each of its formats', () => {
  const forms = describedCommands().flatMap((command) =>
    command.options
      .filter(({ long }) => long === '--json' || long === '--jsonl')
      .map(({ long }) => `${pathOf(command).replace(/^gatehouse /, '')} … ${long}`),
  );
  expect(forms.length).toBeGreaterThan(30);
  const isRecorded = (form: string) => {
    const [path = '', option = ''] = form.split(' … ');
    return recorded.some((line) => line.startsWith(path) && line.split(' ').includes(option));
  };
  expect(forms.filter((form) => !isRecorded(form))).toEqual([]);
});
