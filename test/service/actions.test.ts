import { expect, it } from 'vitest';
import { readActions } from '../../src/service/actions.ts';

it('reads a line for each way back: services, a kind of cause, perhaps a title, and a command or an address', () => {
  expect(
    readActions(`
# Our own ways back.
payments  bad-deploy   Roll back in CI :: ci rollback {service} --to {previous}
web-*     *            https://runbooks.example/{service}
mailer    cpu-starvation  awk '{print}' \${service}
`),
  ).toEqual({
    actions: [
      {
        services: 'payments',
        kind: 'bad deploy',
        title: 'Roll back in CI',
        template: 'ci rollback {service} --to {previous}',
      },
      { services: 'web-*', kind: '*', title: null, template: 'https://runbooks.example/{service}' },
      { services: 'mailer', kind: 'CPU starvation', title: null, template: `awk '{print}' \${service}` },
    ],
  });
});

it.each([
  ['payments bad-deploy', 'line 1: must be a service, a kind of cause, and a command or an address'],
  [
    '\npayments bad-deplyo ci rollback',
    /^line 2: "bad-deplyo" is not one of \*, bad-deploy, configuration-change, /u,
  ],
  [
    'payments bad-deploy ci --to {previus}',
    'line 1: {previus} is not a placeholder: did you mean {previous}?',
  ],
])('says which line of %j is wrong', (text, wrong) => {
  expect(readActions(text)).toEqual({
    wrong: typeof wrong === 'string' ? wrong : expect.stringMatching(wrong),
  });
});
