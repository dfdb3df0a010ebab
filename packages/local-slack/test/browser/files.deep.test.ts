import { describe, expect, it } from 'vitest';
import { browserForTests, chromiumPath, openPage, picture } from '../../testing/browser.ts';
import { clientOf, testWorkspace } from '../../testing/index.ts';
import { gradient } from '../support/pictures.ts';

const RESULTS = JSON.stringify({ rootCause: 'The disk is full', evidence: [1, 2, 3, 4, 5, 6, 7] }, null, 2);

describe.skipIf(chromiumPath() === null)('files on the page', () => {
  const browser = browserForTests();

  it('shows pictures at Slack’s size, and in full on a click', async () => {
    const workspace = await testWorkspace({ fileDelay: 0 });
    const client = clientOf(workspace);
    const channel = workspace.channels.alerts;
    const alt_text = 'Disk use rises to 100 % at 10:40';
    await client.files.uploadV2({
      file: gradient(1200, 900),
      filename: 'disk.png',
      alt_text,
      channel_id: channel,
    });
    await client.files.uploadV2({ file: gradient(1600, 500), filename: 'graph.png' });
    const [graph] = workspace.files();
    await client.chat.postMessage({
      channel,
      text: 'The graph',
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: '*Root cause*: the disk is full' } },
        {
          type: 'image',
          alt_text: 'The disk led to the errors',
          title: { type: 'plain_text', text: 'Causal graph' },
          slack_file: { id: graph?.id ?? '' },
        },
        {
          type: 'context',
          elements: [
            { type: 'image', alt_text: 'small', slack_file: { id: graph?.id ?? '' } },
            { type: 'mrkdwn', text: 'as of 10:41' },
          ],
        },
      ],
    });
    const page = await openPage(browser, workspace);
    const shown = page.getByRole('img', { name: alt_text });
    await expect.poll(() => shown.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(1200);
    const box = await shown.boundingBox();
    expect([Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]).toEqual([480, 360]);
    const small = page.getByRole('img', { name: 'small' });
    await expect.poll(() => small.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(1600);
    const inBlock = page.getByRole('img', { name: 'The disk led to the errors' });
    await expect.poll(() => inBlock.evaluate((img) => Reflect.get(img, 'naturalWidth'))).toBe(1600);
    await picture(page, 'pictures');
    await inBlock.click();
    const full = page.getByRole('dialog', { name: 'Causal graph' });
    await full.getByRole('link', { name: 'Download' }).waitFor();
    await picture(page, 'lightbox');
    await page.keyboard.press('Escape');
    await expect.poll(() => full.count()).toBe(0);
    const opener = page.getByRole('button', { name: 'The disk led to the errors' });
    await expect.poll(() => opener.evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  it('says how large files may be, where one is larger', async () => {
    const page = await openPage(browser, await testWorkspace({}));
    const box = page.getByRole('textbox', { name: 'Message #alerts' });
    await box.fill('The dump');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Attach files' }).click(),
    ]);
    await chooser.setFiles({
      name: 'dump.bin',
      mimeType: 'application/gzip',
      buffer: Buffer.alloc(4_200_000),
    });
    await box.press('Enter');
    await page.getByRole('alert').getByText('This file is 4.2 MB.').waitFor();
    expect(await box.inputValue()).toBe('The dump');
  });

  it('shows what a file is and how it begins, and lets it be saved', async () => {
    const workspace = await testWorkspace({ fileDelay: 0 });
    const client = clientOf(workspace);
    const channel_id = workspace.channels.alerts;
    const { ts = '' } = await client.chat.postMessage({ channel: channel_id, text: 'The disk is full' });
    const send = (filename: string, content: string, initial_comment = '') =>
      client.files.uploadV2({
        filename,
        title: filename,
        content,
        channel_id,
        thread_ts: ts,
        initial_comment,
      });
    await send('results.json', RESULTS, 'Everything that was found:');
    await send('prompt.md', '# Fix\n\nGrow the *disk* <b>now</b>.\n');
    await send('page.html', '<script>document.title = "run"</script>');
    const page = await openPage(browser, workspace);
    const json = page.locator('.file', { hasText: 'results.json' });
    await json.getByText('"rootCause": "The disk is full"').waitFor();
    await json.getByText('6 more lines').waitFor();
    await page.getByText('Everything that was found:').waitFor();
    await picture(page, 'files');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      json.getByRole('link', { name: 'Download results.json' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('results.json');
    await client.files.delete({ file: workspace.files()[2]?.id ?? '' });
    await page.getByText('This file was deleted.').waitFor();
  });
});
