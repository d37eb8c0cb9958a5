import type { Locator, Page } from 'playwright-core';

/** One session as it is seen in a page. */
export class SessionView {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Chooses a session in the list. */
  static async choose(page: Page, sessionId: string): Promise<SessionView> {
    await page.locator(`.sessions a[href="#session=${sessionId}"]`).click();
    return SessionView.on(page);
  }

  /** The session that a page shows, when all that its log has is there. */
  static async on(page: Page): Promise<SessionView> {
    await page.locator('.session[data-caught-up=true]').waitFor();
    return new SessionView(page);
  }

  /** Where prompts are written. */
  get box(): Locator {
    return this.page.getByRole('textbox', { name: 'Prompt' });
  }

  async send(text: string): Promise<void> {
    await this.box.fill(text);
    await this.page.getByRole('button', { name: 'Send' }).click();
  }

  /** Waits until the agent has said this much. */
  async untilSaid(text: string): Promise<void> {
    await this.page.locator('.message[data-from=agent]', { hasText: text }).first().waitFor();
  }

  /** Waits for the end of so many turns. */
  async untilEnds(count: number): Promise<void> {
    await this.page
      .locator('.note[data-kind=turn_end]')
      .nth(count - 1)
      .waitFor();
  }

  /** Waits until a permission request waits for an answer. */
  async untilAsked(): Promise<void> {
    await this.page.locator('.permission[data-status=waiting]').waitFor();
  }

  async answer(label: string): Promise<void> {
    await this.page
      .locator('.permission[data-status=waiting]')
      .getByText(label, { exact: true })
      .click();
  }

  /** What the agent has said, a message an item. */
  said(): Promise<string[]> {
    return this.page.locator('.message[data-from=agent] .text').allTextContents();
  }

  /** The kinds of the entries, from their ids, in the order in which they stand. */
  async kinds(): Promise<string[]> {
    const ids = await this.page
      .locator('[data-entry]')
      .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-entry') ?? ''));
    return ids.map((id) => id.replace(/:\d+$/, ''));
  }

  /** Waits until the page says that there is no connection. */
  async untilCut(): Promise<void> {
    await this.page.locator('.connection:not([data-state=online])').waitFor();
  }

  /** Waits until the connection is back and everything that the log has is there. */
  async untilBack(): Promise<void> {
    await this.page.locator('.connection[data-state=online]').waitFor();
    await this.page.locator('.session[data-caught-up=true]').waitFor();
  }
}
