// Traces over OTLP if OTEL_EXPORTER_OTLP_ENDPOINT is set. Only then is the exporter loaded, and the
// pipeline's calls become spans.
import type { Settings } from '../config/config.ts'
import { type Tracer, traced } from '../kit/telemetry.ts'
import type { Pipeline } from '../surfaces/pipeline/pipeline.ts'

type Tracing = { tracer: Tracer; close: () => Promise<void> }

type TracingSettings = Pick<
  Settings,
  'otlp_endpoint' | 'otlp_headers' | 'traces_share' | 'environment'
>

/** The tracer, or null without the setting. */
export async function openTracing(settings: TracingSettings): Promise<Tracing | null> {
  const { otlp_endpoint: endpoint, otlp_headers: headers, traces_share, environment } = settings
  if (endpoint === null) return null
  const { openOtlpTracer } = await import('./otlp-tracer.ts')
  const resource = {
    'service.name': 'agent-registrar',
    'service.version': '0.1.0',
    'deployment.environment.name': environment,
  }
  return openOtlpTracer({ endpoint, headers, share: traces_share / 100, resource })
}

/** The same pipeline, in which each call is a span named by its operation. */
export function tracedPipeline(pipeline: Pipeline): Pipeline {
  return {
    ...pipeline,
    call: (operation, request, admitted) =>
      traced(
        () => ({
          name: operation.name,
          kind: 'internal',
          attributes: { 'agent_registrar.surface': request.entry_point },
        }),
        async (span) => {
          const response = await pipeline.call(operation, request, admitted)
          span?.set({ 'agent_registrar.status_code': response.status })
          if (response.status >= 500) span?.fail(response.error_code ?? String(response.status))
          return response
        },
      ),
  }
}
