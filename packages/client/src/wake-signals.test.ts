import { afterEach, describe, expect, test, vi } from 'vitest';
import { watchWakeSignals } from './wake-signals.ts';

afterEach(() => vi.unstubAllGlobals());

/** A page, as far as it tells of its life. */
function createPage() {
  const page = new EventTarget();
  const view = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('window', page);
  vi.stubGlobal('document', view);
  return { page, view };
}

describe('a page', () => {
  test('wakes the client when it may have lost its connections', () => {
    const { page, view } = createPage();
    const wake = vi.fn();
    watchWakeSignals(wake);
    page.dispatchEvent(new Event('online'));
    page.dispatchEvent(new Event('pageshow'));
    view.dispatchEvent(new Event('visibilitychange'));
    view.dispatchEvent(new Event('resume'));
    expect(wake).toHaveBeenCalledTimes(4);
  });

  test('does not when it is hidden', () => {
    const { view } = createPage();
    const wake = vi.fn();
    watchWakeSignals(wake);
    view.visibilityState = 'hidden';
    view.dispatchEvent(new Event('visibilitychange'));
    expect(wake).not.toHaveBeenCalled();
  });

  test('does not when the client is closed', () => {
    const { page, view } = createPage();
    const wake = vi.fn();
    watchWakeSignals(wake)();
    page.dispatchEvent(new Event('online'));
    view.dispatchEvent(new Event('visibilitychange'));
    expect(wake).not.toHaveBeenCalled();
  });
});

test('outside of a page nothing is listened for', () => {
  const wake = vi.fn();
  watchWakeSignals(wake)();
  expect(wake).not.toHaveBeenCalled();
});
