import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createScriptedPeer, resultFrame } from '../../../../tests/support/peers.ts';
import { turn } from '../../../../tests/support/scripted-transport.ts';

const options = { cancelMethod: '$/cancel_request' };
const cancelOf = (requestId: number) => ({
  jsonrpc: '2.0',
  method: '$/cancel_request',
  params: { requestId },
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the bounds of a request', () => {
  it('rejects as timeout, tells the other side, and ignores a late answer', async () => {
    const { wire, peer, problems } = createScriptedPeer({}, options);
    const call = peer.request('m', {}, { timeoutMs: 100 });
    const failed = expect(call).rejects.toMatchObject({ code: 'timeout' });
    vi.advanceTimersByTime(100);
    await failed;
    expect(wire.messages()[1]).toEqual(cancelOf(0));
    expect(peer.pendingCount).toBe(0);
    wire.arrive(resultFrame(0, 'late'));
    await turn();
    expect(problems).toMatchObject([{ kind: 'unexpected_response' }]);
  });

  it('has its time anew as long as there is a reason to, and is over then', async () => {
    const { wire, peer } = createScriptedPeer({}, options);
    let isHeldUp = true;
    const call = peer.request('m', {}, { timeoutMs: 100, extendsTime: () => isHeldUp });
    const failed = expect(call).rejects.toMatchObject({ code: 'timeout' });
    vi.advanceTimersByTime(1050);
    isHeldUp = false;
    vi.advanceTimersByTime(49);
    expect(wire.messages()).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await failed;
    expect(wire.messages()[1]).toEqual(cancelOf(0));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves no timer behind when the answer comes in a time that began anew', async () => {
    const { wire, peer } = createScriptedPeer({}, options);
    const call = peer.request('m', {}, { timeoutMs: 100, extendsTime: () => true });
    vi.advanceTimersByTime(150);
    wire.arrive(resultFrame(0, 'ok'));
    expect((await call).result).toBe('ok');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has no limit of its own', async () => {
    const { wire, peer } = createScriptedPeer({}, options);
    const call = peer.request('m', {});
    vi.advanceTimersByTime(24 * 3600 * 1000);
    wire.arrive(resultFrame(0, 'at last'));
    expect((await call).result).toBe('at last');
  });

  it('sends a cancel when the signal aborts, and still takes the answer', async () => {
    const { wire, peer } = createScriptedPeer({}, options);
    const controller = new AbortController();
    const call = peer.request('m', {}, { signal: controller.signal, timeoutMs: 50 });
    controller.abort();
    expect(wire.messages()[1]).toEqual(cancelOf(0));
    vi.advanceTimersByTime(4999);
    wire.arrive(resultFrame(0, 'partial'));
    expect((await call).result).toBe('partial');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects as aborted when no answer comes within the grace', async () => {
    const { peer } = createScriptedPeer({}, options);
    const controller = new AbortController();
    const call = peer.request('m', {}, { signal: controller.signal, abortGraceMs: 10 });
    const failed = expect(call).rejects.toMatchObject({ code: 'aborted', cause: 'user' });
    controller.abort('user');
    vi.advanceTimersByTime(10);
    await failed;
  });

  it('does not send a request whose signal is aborted already', async () => {
    const { wire, peer } = createScriptedPeer({}, options);
    const call = peer.request('m', {}, { signal: AbortSignal.abort('before') });
    await expect(call).rejects.toMatchObject({ code: 'aborted', cause: 'before' });
    expect(wire.sent).toEqual([]);
  });

  it('leaves nothing behind when the answer comes', async () => {
    const { wire, peer } = createScriptedPeer({}, options);
    const controller = new AbortController();
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const call = peer.request('m', {}, { signal: controller.signal, timeoutMs: 1000 });
    wire.arrive(resultFrame(0, 'ok'));
    await call;
    controller.abort();
    expect(wire.sent).toHaveLength(1);
    expect(removed).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('survives an abort while nothing can be sent', async () => {
    const { wire, peer } = createScriptedPeer({}, options);
    const controller = new AbortController();
    const call = peer.request('m', {}, { signal: controller.signal, abortGraceMs: 10 });
    const failed = expect(call).rejects.toMatchObject({ code: 'aborted' });
    wire.sendFailure = new Error('queue full');
    controller.abort();
    vi.advanceTimersByTime(10);
    await failed;
  });

  it('refuses requests beyond the limit, and what is too large or cannot be written', async () => {
    const { wire, peer } = createScriptedPeer(
      {},
      { limits: { pendingRequestsMax: 1, frameBytesMax: 100 } },
    );
    await expect(peer.request('m', 'x'.repeat(200))).rejects.toMatchObject({ code: 'too_large' });
    await expect(peer.request('m', 1n)).rejects.toMatchObject({ code: 'not_serializable' });
    expect(() => peer.notify('m', 'x'.repeat(200))).toThrow('too_large');
    expect(() => peer.notify('m', '€'.repeat(40))).toThrow('too_large');
    expect(() => peer.notify('m', 1n)).toThrow('not_serializable');
    void peer.request('m', {}).catch(() => undefined);
    await expect(peer.request('m', {})).rejects.toMatchObject({ code: 'queue_full' });
    expect(wire.sent).toHaveLength(1);
    await peer.close();
  });
});
