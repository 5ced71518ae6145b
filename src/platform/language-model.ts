// The language model that an operator may configure, built lazily: a service without one never loads the SDK.
import type { LanguageModel } from 'ai';

export interface LanguageModelSettings {
  /** `openai-compatible` speaks to any server with that protocol, local ones included. */
  readonly provider: 'openai-compatible' | 'anthropic' | 'google';
  readonly model: string;
  /** Required for `openai-compatible`; overrides the vendor's own address otherwise. */
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
}

/** Loads the provider's SDK and makes the model. Contacts nobody. */
export async function openLanguageModel(settings: LanguageModelSettings): Promise<LanguageModel> {
  const address = settings.baseUrl === null ? {} : { baseURL: settings.baseUrl };
  const key = settings.apiKey === null ? {} : { apiKey: settings.apiKey };
  switch (settings.provider) {
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      if (settings.baseUrl === null) throw new Error('an openai-compatible model needs a base URL');
      return createOpenAICompatible({
        name: 'configured',
        baseURL: settings.baseUrl,
        ...key,
        supportsStructuredOutputs: true,
      })(settings.model);
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ ...address, ...key })(settings.model);
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return createGoogleGenerativeAI({ ...address, ...key })(settings.model);
    }
  }
}
