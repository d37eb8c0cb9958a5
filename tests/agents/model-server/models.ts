import type { IncomingHttpHeaders } from 'node:http';

/** The models that the server says it has. */
export const MODEL = 'scripted-model';
export const SMALL_MODEL = 'scripted-model-small';

const MODELS = [MODEL, SMALL_MODEL] as const;

/** The list of models, in the format that whoever asks reads. */
export function modelList(path: string, headers: IncomingHttpHeaders): object {
  if (path.startsWith('/v1beta')) {
    const models = MODELS.map((id) => ({
      name: `models/${id}`,
      displayName: id,
      inputTokenLimit: 200_000,
      outputTokenLimit: 8192,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
    }));
    return { models };
  }
  if (headers['anthropic-version'] !== undefined) {
    const data = MODELS.map((id) => ({
      type: 'model',
      id,
      display_name: id,
      created_at: '2025-01-01T00:00:00Z',
    }));
    return { data, has_more: false, first_id: MODEL, last_id: SMALL_MODEL };
  }
  const data = MODELS.map((id) => ({
    id,
    object: 'model',
    created: 1_735_689_600,
    owned_by: 'signalbox',
    context_length: 200_000,
  }));
  return { object: 'list', data };
}
