// Further findings of a scan: servers, sets that are not imported, and the limits of the scan.
import type { DnsScanResponse } from 'sdk'
import { Callout } from '../../../components/callout.tsx'
import { setName } from '../../../lib/dns/record-queries.ts'
import { readable } from '../../../lib/dns/value-forms.ts'
import { scanTexts as texts } from '../../../messages/dns/scan-texts.ts'

const most_shown = 50

/** Whether a set is one that every zone has and each service makes itself. */
const isUsual = ({ host, type }: { host: string; type: string }) =>
  host === '@' && (type === 'SOA' || type === 'NS')

export function ScanFindings({ scan }: { scan: DnsScanResponse }) {
  const { servers, complete, not_seen } = scan
  const left = scan.left_out.filter((one) => !isUsual(one)).slice(0, most_shown)
  const differing = scan.differences.filter((one) => !isUsual(one)).slice(0, most_shown)
  return (
    <>
      <ul className="text-sm text-muted">
        {servers.map((server) => (
          <li key={server.name} className="break-words">
            {serverWords(server)}
          </li>
        ))}
      </ul>
      {!complete && <Callout tone="warn" title={texts.incomplete} />}
      {left.length > 0 && (
        <Callout tone="warn" title={texts.leftOut}>
          <ul className="flex flex-col gap-2">
            {left.map((one) => (
              <li key={setName(one)} className="min-w-0 break-words">
                <span className="font-mono text-sm break-all">
                  {setName(one)} {one.values.map((value) => readable(one.type, value)).join(', ')}
                </span>
                <br />
                {one.reason}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      {differing.length > 0 && (
        <Callout tone="warn" title={texts.differences}>
          <p>{texts.differencesText}</p>
          <ul className="mt-1 flex flex-col gap-1 text-sm">
            {differing.map((one) => (
              <li key={setName(one)} className="break-words">
                <span className="font-mono">{setName(one)}</span>
                {one.servers.map(({ name, values }) => (
                  <span key={name} className="block pl-4 break-all">
                    {name}:{' '}
                    {values.map((value) => readable(one.type, value)).join(', ') || texts.noAnswer}
                  </span>
                ))}
              </li>
            ))}
          </ul>
        </Callout>
      )}
      <section aria-label={texts.notSeen} className="text-sm text-muted">
        <p className="font-medium">{texts.notSeen}</p>
        <ul className="list-disc pl-5">
          {not_seen.map((sentence) => (
            <li key={sentence} className="break-words">
              {sentence}
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function serverWords({
  name,
  addresses,
  zone_transfer,
}: DnsScanResponse['servers'][number]): string {
  const states = [...new Set(addresses.map(({ state }) => texts.servers[state]))]
  const words = states.length > 0 ? states : [texts.servers.none]
  return `${name} ${[...words, ...(zone_transfer === 'whole' ? [texts.whole] : [])].join(', ')}`
}
