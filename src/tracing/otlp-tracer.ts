// The tracing port by OpenTelemetry's SDK: spans are sent in batches over OTLP/HTTP.
import {
  type Attributes,
  type Context,
  type Link,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Span, Tracer, Work } from '../kit/telemetry.ts'

export type OtlpOptions = {
  /** The endpoint of all signals; traces go to `/v1/traces` below it. */
  endpoint: string
  headers: Readonly<Record<string, string>>
  /** The share of traces that are recorded if no caller has decided: 0 to 1. */
  share: number
  resource: Attributes
}
export type OtlpTracer = {
  tracer: Tracer
  /** Sends the remaining spans, for at most two seconds. */
  close: () => Promise<void>
}

const flush_ms = 2_000
/**
 * Further spans are dropped, so that a collector that is away costs only this much memory, and no
 * request.
 */
const most_waiting = 4_096

export function openOtlpTracer({ endpoint, headers, share, resource }: OtlpOptions): OtlpTracer {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: 5_000,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanLimits: { attributeValueLengthLimit: 200, linkCountLimit: 128 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: most_waiting,
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: 5_000,
      }),
    ],
  })
  const tracer = provider.getTracer('agent-registrar')
  return {
    tracer: {
      begin: (work, parent) => {
        const remote = parent === undefined ? null : contextOf(parent)
        const at = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
        return spanOf(tracer, work, at)
      },
    },
    close: () => withinTime(provider.shutdown()),
  }
}

async function withinTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, flush_ms)
  // Spans that the collector has not taken by then are lost.
  await Promise.race([work.catch(() => undefined), late.promise])
  clearTimeout(timer)
}

const kinds: Record<Work['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  consumer: SpanKind.CONSUMER,
}

function spanOf(tracer: OtelTracer, work: Work, at: Context): Span {
  const { name, kind, attributes = {}, links = [] } = work
  const options = { kind: kinds[kind], attributes, links: links.flatMap(linkTo) }
  const span = tracer.startSpan(name, options, at)
  const { traceId: trace_id, spanId: span_id, traceFlags } = span.spanContext()
  const flags = traceFlags.toString(16).padStart(2, '0')
  let ended = false
  return {
    trace_id,
    span_id,
    traceparent: `00-${trace_id}-${span_id}-${flags}`,
    get ended() {
      return ended
    },
    child: (inner) => spanOf(tracer, inner, trace.setSpan(ROOT_CONTEXT, span)),
    set: (more) => void span.setAttributes(more),
    link: (traceparent) => void span.addLinks(linkTo(traceparent)),
    fail: (problem) => markFailed(span, problem),
    end() {
      ended = true
      span.end()
    },
  }
}

function markFailed(span: OtelSpan, problem: string): void {
  span.setAttribute('error.type', problem)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function linkTo(traceparent: string): Link[] {
  const context = contextOf(traceparent)
  return context ? [{ context }] : []
}

/** W3C Trace Context section 3.2. It is null for a malformed one, which counts as none. */
function contextOf(traceparent: string): SpanContext | null {
  const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
  const [, traceId, spanId, flags] = form.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return null
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
