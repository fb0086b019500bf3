// Name servers of one domain with their glue records, beside a summary of its DNS records.
import { type FormEvent, useState } from 'react'
import type { DomainStatusResponse } from 'sdk'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { Card } from '../../components/card.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/notice.tsx'
import { fieldProblems } from '../../lib/api.ts'
import { useOwnNameservers } from '../../lib/sign-in/service-facts.ts'
import { domainPageTexts } from '../../messages/domain-page-texts.ts'
import { DnsSummary } from './dns-summary.tsx'
import PreflightDialog from './preflight-dialog.tsx'
import { useNameserverChange } from './use-nameserver-change.ts'
import { WaitingNameservers } from './waiting-nameservers.tsx'

const texts = domainPageTexts.nameservers

export default function NameserversTab({ domain }: { domain: DomainStatusResponse }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Nameservers key={domain.nameservers.join()} domain={domain} />
      <DnsSummary domain={domain.domain} />
    </div>
  )
}

const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

function Nameservers({ domain }: { domain: DomainStatusResponse }) {
  const change = useNameserverChange(domain)
  const { checked } = change
  return (
    <Card title={texts.title}>
      <NameserverForm domain={domain} change={change} />
      {checked && (
        <PreflightDialog
          found={checked.found}
          onClose={change.cancel}
          onChange={() => change.make(checked.body)}
          onWait={() => change.wait(checked.body)}
        />
      )}
    </Card>
  )
}

type FormProps = {
  domain: DomainStatusResponse
  change: ReturnType<typeof useNameserverChange>
}

function NameserverForm({ domain, change }: FormProps) {
  const { domain: name, nameservers, pending_nameservers } = domain
  const [typed, setTyped] = useState(nameservers.join('\n'))
  const [addresses, setAddresses] = useState<Addresses>({})
  const hosts = listOf(typed)
  const own = hosts.filter((host) => `.${host.toLowerCase()}`.endsWith(`.${name}`))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const glue = glueOf(own, addresses)
    change.check({ nameservers: hosts, ...(Object.keys(glue).length > 0 && { glue }) })
  }
  const fields = fieldProblems(change.error)
  const isOfField = Object.keys(fields).length > 0
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 p-5">
      <WaitingNameservers domain={name} />
      {pending_nameservers && <Callout title={texts.pending(pending_nameservers.join(', '))} />}
      <TextArea
        label={texts.hosts}
        hint={texts.hint}
        problem={fields.nameservers}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <GlueFields {...{ own, addresses, fields }} onChange={setAddresses} />
      {change.error && !isOfField && <ErrorNotice error={change.error} />}
      <NameserverButtons
        nameservers={nameservers}
        busy={change.busy}
        onService={(service) => {
          setTyped(service.join('\n'))
          change.check({ nameservers: [...service] })
        }}
      />
    </form>
  )
}

type Addresses = Readonly<Record<string, string>>

function glueOf(own: readonly string[], addresses: Addresses): Record<string, string[]> {
  return Object.fromEntries(
    own.flatMap((host) => {
      const list = listOf(addresses[host] ?? '')
      return list.length > 0 ? [[host, list]] : []
    }),
  )
}

type GlueProps = {
  /** The name servers within the domain itself. */
  own: readonly string[]
  addresses: Addresses
  fields: Readonly<Record<string, string>>
  onChange: (addresses: Addresses) => void
}

function GlueFields({ own, addresses, fields, onChange }: GlueProps) {
  return own.map((host) => (
    <Field
      key={host}
      label={texts.glue(host)}
      hint={texts.glueHint}
      placeholder="192.0.2.1, 2620:0:2d0:200::7"
      problem={fields[host] ?? fields.glue}
      value={addresses[host] ?? ''}
      onChange={(event) => onChange({ ...addresses, [host]: event.currentTarget.value })}
    />
  ))
}

type ButtonsProps = {
  nameservers: readonly string[]
  busy: boolean
  onService: (service: readonly string[]) => void
}

function NameserverButtons({ nameservers, busy, onService }: ButtonsProps) {
  const service = useOwnNameservers()
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" busy={busy}>
          {texts.save}
        </Button>
        {service.length > 0 && service.join() !== nameservers.join() && (
          <Button disabled={busy} onClick={() => onService(service)}>
            {texts.useService}
          </Button>
        )}
      </div>
      {service.length > 0 && (
        <p className="text-sm text-muted">{texts.service(service.join(', '))}</p>
      )}
    </>
  )
}
