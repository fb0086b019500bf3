// Settings of metrics, and of traces over OTLP by OpenTelemetry's names.
import { bearerToken, origin, type Reader, SettingError, whole } from './readers.ts'
import { setting } from './setting.ts'

/** Reads `key=value,key2=value2` with each value percent-encoded (OTEL_EXPORTER_OTLP_HEADERS). */
const otlpHeaders: Reader<Readonly<Record<string, string>>> = (value, name) => {
  const parts = value === '' ? [] : value.split(',').map((part) => part.trim())
  return Object.fromEntries(
    parts.map((part) => {
      const at = part.indexOf('=')
      const key = part.slice(0, Math.max(0, at)).trim()
      const text = decoded(part.slice(at + 1).trim())
      // The value is never in the message, because it may contain a token.
      if (!/^[A-Za-z0-9-]+$/.test(key) || text === undefined)
        throw new SettingError(name, 'must be like api-key=abc,tenant=a')
      return [key, text]
    }),
  )
}

function decoded(text: string): string | undefined {
  try {
    const value = decodeURIComponent(text)
    return /^[\x20-\x7e]*$/.test(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function telemetrySettings() {
  return {
    metrics_token: setting('METRICS_TOKEN', bearerToken, {
      preset: '',
      meaning:
        'Bearer token that reads /metrics, and nothing else; at least 32 characters. Without it ' +
        'nothing is counted, and /metrics is 503.',
    }),
    otlp_endpoint: setting('OTEL_EXPORTER_OTLP_ENDPOINT', origin, {
      preset: '',
      meaning:
        'OpenTelemetry collector that traces are sent to over OTLP/HTTP, e.g. ' +
        'http://127.0.0.1:4318; if empty, nothing is traced.',
    }),
    otlp_headers: setting('OTEL_EXPORTER_OTLP_HEADERS', otlpHeaders, {
      preset: '',
      meaning: 'Header fields for the collector: key=value,key2=value2.',
    }),
    traces_share: setting('TRACES_SHARE', whole(0, 100), {
      preset: '100',
      meaning: 'Percent of the traces that are recorded, where the caller has not decided.',
    }),
  }
}
