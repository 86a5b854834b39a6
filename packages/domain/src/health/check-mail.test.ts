import { expect, test } from 'vitest';
import { createFakeMailer } from '../../testing/index.ts';
import { mailCheck } from './check-mail.ts';

test('a mail server that cannot be used is a finding, and none is not', async () => {
  const mailer = createFakeMailer();
  expect(await mailCheck.run({ mailer: undefined })).toEqual({ status: 'passed', remark: 'no_mail' });
  expect(await mailCheck.run({ mailer })).toEqual({ status: 'passed' });
  mailer.fail('not_authenticated');
  expect(await mailCheck.run({ mailer })).toEqual({
    status: 'failed',
    findings: [{ code: 'mail_server_unusable', problem: 'not_authenticated' }],
  });
  expect(mailer.sent).toEqual([]);
});
