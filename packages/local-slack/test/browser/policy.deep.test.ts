import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumPath, openBrowser } from '../../testing/browser.ts';
import { patientServer, testWorkspace } from '../../testing/index.ts';

const STYLED =
  '*bold* `code` ~gone~ <https://example.com|a link> :fire:\n>quoted\n• one\n```\nlines\nof code\n```';

describe.skipIf(chromiumPath() === null)('the page’s policy', () => {
  it('is broken by nothing that the page does, and keeps strange scripts and styles from running', async () => {
    const workspace = await testWorkspace();
    const attachments = [{ color: '#ff0000', title: 'Disk full', text: STYLED, fields: [] }];
    await workspace.post({ channel: 'alerts', username: 'Grafana', text: STYLED, attachments });
    const server = patientServer(workspace.page);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The page has no port.');
    const browser = await openBrowser();
    onTestFinished(async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    });
    const page = await browser.context.newPage();
    const refused: string[] = [];
    page.on('console', (said) => {
      if (/Content Security Policy/u.test(said.text())) refused.push(said.text());
    });
    await page.goto(`http://127.0.0.1:${address.port}`);
    const row = page.getByRole('article').filter({ hasText: 'Disk full' });
    await row.hover();
    await row.getByRole('button', { name: 'React' }).click();
    await page.keyboard.press('Escape');
    await page.goto(`http://127.0.0.1:${address.port}/gallery`);
    await page.waitForLoadState('networkidle');
    expect(refused).toEqual([]);

    await page.evaluate(`{
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken over"';
      const style = document.createElement('style');
      style.textContent = 'body { display: none }';
      document.head.append(script, style);
    }`);
    expect(await page.title()).not.toBe('taken over');
    expect(await page.locator('body').isVisible()).toBe(true);
    await expect.poll(() => refused.length).toBe(2);
  });
});
