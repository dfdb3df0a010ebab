import { describe, expect, it } from 'vitest';
import { fileAddress, isResponseAddress } from '../../../src/bot/slack/addresses.ts';

const SLACK = 'https://slack.com/api/';
const GOV = 'https://slack-gov.com/api/';
const LOCAL = 'http://127.0.0.1:4123/api/';

describe('a file is fetched with the token', () => {
  it.each([
    ['https://files.slack.com/files-pri/T1-F1/app.log', SLACK],
    ['https://FILES.Slack.com/files-pri/T1-F1/download/app.log', SLACK],
    ['https://files.slack.com:443/files-tmb/T1-F1-0a1b2c/app_360.png', SLACK],
    ['https://files.slack.com/files-pri/E1-F1/a%20b%C3%A9.log?x=1', SLACK],
    ['https://files.slack-gov.com/files-pri/T1-F1/app.log', GOV],
    ['http://127.0.0.1:4123/files-pri/T1-F1/app.log', LOCAL],
    ['http://localhost:4123/files-pri/T1-F1/app.log', 'http://localhost:4123/api/'],
  ])('from %s', (url, api) => {
    expect(fileAddress(url, api)?.href).toBe(new URL(url).href);
  });

  it.each([
    ['https://slack.com/api/chat.postMessage?channel=C1&text=hello', SLACK],
    ['https://files.slack.com/api/conversations.history?channel=C1', SLACK],
    ['https://slack.com/files-pri/T1-F1/a.log', SLACK],
    ['https://acme.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['https://slack-files.com/files-pri/T1-F1/a.log', SLACK],
    ['https://hooks.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['https://files.slack.com./files-pri/T1-F1/a.log', SLACK],
    ['https://files.slack.com.evil.test/files-pri/T1-F1/a.log', SLACK],
    ['https://evil.test/files-pri/T1-F1/a.log', SLACK],
    ['https://files.slack.com@evil.test/files-pri/T1-F1/a.log', SLACK],
    ['https://@files.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['https://x:y@files.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['https://files.slack.com:8443/files-pri/T1-F1/a.log', SLACK],
    ['http://files.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['ftp://files.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['//files.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['files.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['https:files.slack.com/files-pri/T1-F1/a.log', SLACK],
    ['https:\\\\files.slack.com\\files-pri\\T1-F1\\a.log', SLACK],
    ['https://files.slack.com/files-pri/../api/chat.postMessage', SLACK],
    ['https://files.slack.com/files-pri/%2e%2e/api/chat.postMessage', SLACK],
    ['https://files.slack.com/files-pri/T1-F1/..%2f..%2fapi/chat.postMessage', SLACK],
    ['https://files.slack.com/files-pri/T1-F1/..%252f..%252fapi', SLACK],
    ['https://files.slack.com/files-pri/T1-F1/..\\..\\api', SLACK],
    ['https://files.slack.com/files-pri/T1-F1/%5c..%5capi', SLACK],
    ['https://files.slack.com//files-pri/T1-F1/a.log', SLACK],
    ['https://files.slack.com/files-pri//T1-F1/a.log', SLACK],
    ['https://files.slack.com/files-pri/T1-F1//a.log', SLACK],
    ['https://files.slack.com/files-pri/T1-F1/a\tb.log', SLACK],
    ['https://files.slack.com/files-pri/T1-F1/%zz', SLACK],
    ['https://files.slack.com/files-pri', SLACK],
    ['https://files.slack.com/files-pri/', SLACK],
    ['https://files.slack.com/files-private/T1-F1/a.log', SLACK],
    ['https://files.slack.com/FILES-PRI/T1-F1/a.log', SLACK],
    ['https://files.slack.com/?/files-pri/T1-F1/a.log', SLACK],
    ['https://files.slack-gov.com/files-pri/T1-F1/a.log', SLACK],
    ['https://files.slack.com/files-pri/T1-F1/a.log', GOV],
    ['https://files.slack.com/files-pri/T1-F1/a.log', LOCAL],
    ['http://127.0.0.1:4123/api/chat.postMessage', LOCAL],
    ['http://127.0.0.1:4123/files-pri/T1-F1/%2e%2e/%2e%2e/api/chat.postMessage', LOCAL],
    ['http://127.0.0.1:4124/files-pri/T1-F1/a.log', LOCAL],
    ['https://127.0.0.1:4123/files-pri/T1-F1/a.log', LOCAL],
    ['https://proxy.test/files-pri/T1-F1/a.log', 'https://proxy.test/api/'],
  ])('but not from %s', (url, api) => {
    expect(fileAddress(url, api)).toBe(null);
  });
});

describe('an answer is sent', () => {
  it.each([
    ['https://hooks.slack.com/actions/T1/2/3', SLACK],
    ['https://hooks.slack-gov.com/commands/T1/2/3', GOV],
    ['https://slack.com/response/1', SLACK],
    ['http://127.0.0.1:4123/response/1', LOCAL],
  ])('to %s', (url, api) => {
    expect(isResponseAddress(url, api)).toBe(true);
  });

  it.each([
    ['https://evil.test/actions/1', SLACK],
    ['http://hooks.slack.com/actions/1', SLACK],
    ['https://hooks.slack.com.evil.test/actions/1', SLACK],
    ['https://hooks.slack.com./actions/1', SLACK],
    ['https://hooks.slack.com:8443/actions/1', SLACK],
    ['https://x@hooks.slack.com/actions/1', SLACK],
    ['https://hooks.slack-gov.com/actions/1', SLACK],
    ['http://127.0.0.1:4124/response/1', LOCAL],
    ['http://169.254.169.254/latest/meta-data', SLACK],
    ['http://localhost:4123/response/1', LOCAL],
    ['hooks.slack.com/actions/1', SLACK],
  ])('but not to %s', (url, api) => {
    expect(isResponseAddress(url, api)).toBe(false);
  });
});
