// Account: profile, email address, and the default name servers of new domains.
import { useState } from 'react'
import { updateAccount, updateDefaultNameservers } from 'sdk'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field, TextArea } from '../../components/field.tsx'

import { ErrorNotice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useAccount } from '../../lib/account.ts'
import { answerOf } from '../../lib/api.ts'
import { noteAccount } from '../../lib/session.ts'
import { confirmed } from '../../lib/sign-in/confirmed.ts'
import { useOwnNameservers } from '../../lib/sign-in/service-facts.ts'
import { showToast } from '../../lib/toasts.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { accountTexts as texts } from '../../messages/account-texts.ts'
import { AccountSections } from './account-sections.tsx'

export default function AccountPage() {
  return (
    <>
      <PageHeader title={texts.title} subtitle={texts.subtitle} />
      <AccountSections />
      <div className="grid max-w-3xl gap-5">
        <Profile />
        <Email />
        <Nameservers />
      </div>
    </>
  )
}

const formClass = 'flex flex-col items-start gap-4 p-5 [&>div]:w-full'

function Profile() {
  const { name, company_name } = useAccount()
  const names = ['name', 'company_name'] as const
  const { isBusy, error, problemOf, onSubmit } = useSubmit(names, async (textOf) => {
    const body = { name: textOf('name'), company_name: textOf('company_name').trim() || null }
    noteAccount((await answerOf(updateAccount({ body }))).customer)
    showToast({ title: texts.saved })
  })
  return (
    <Card title={texts.profile.title}>
      <form onSubmit={onSubmit} noValidate className={formClass}>
        {error !== null && <ErrorNotice error={error} />}
        <Field
          label={texts.profile.name}
          name="name"
          autoComplete="name"
          defaultValue={name}
          problem={problemOf('name')}
        />
        <Field
          label={texts.profile.company}
          name="company_name"
          autoComplete="organization"
          defaultValue={company_name ?? ''}
          hint={texts.profile.companyHint}
          problem={problemOf('company_name')}
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {texts.save}
        </Button>
      </form>
    </Card>
  )
}

function Email() {
  const { email, email_verified } = useAccount()
  const [isOpen, setOpen] = useState(false)
  const [sentTo, setSentTo] = useState<string | null>(null)
  const change = (
    <Button size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {texts.email.change}
    </Button>
  )
  const onSent = (address: string) => {
    setOpen(false)
    setSentTo(address)
  }
  return (
    <Card title={texts.email.title} action={change}>
      <div className="flex flex-col gap-2 p-5">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium break-all">{email}</span>
          <Badge tone={email_verified ? 'good' : 'warn'}>
            {email_verified ? texts.email.verified : texts.email.unverified}
          </Badge>
        </p>
        <p className="text-muted">{texts.email.text}</p>
        <p role="status" className="rounded-lg bg-good-soft px-4 py-3 text-good empty:hidden">
          {sentTo !== null && texts.email.sent(sentTo)}
        </p>
      </div>
      {isOpen && <NewEmail onSent={onSent} />}
    </Card>
  )
}

function NewEmail({ onSent }: { onSent: (email: string) => void }) {
  const names = ['email', 'current_password'] as const
  const { isBusy, error, problemOf, onSubmit } = useSubmit(names, async (textOf) => {
    const email = textOf('email')
    const current_password = textOf('current_password')
    const body = { email, ...(current_password !== '' && { current_password }) }
    const { email_verification_sent } = await answerOf(updateAccount({ body }))
    if (email_verification_sent) onSent(email)
  })
  return (
    <form onSubmit={onSubmit} noValidate className={`${formClass} border-t border-line`}>
      {error !== null && <ErrorNotice error={error} />}
      <Field
        label={texts.email.next}
        name="email"
        type="email"
        autoComplete="email"
        required
        problem={problemOf('email')}
      />
      <Field
        label={texts.email.password}
        name="current_password"
        type="password"
        autoComplete="current-password"
        hint={texts.email.passwordHint}
        problem={problemOf('current_password')}
      />
      <Button type="submit" look="primary" busy={isBusy}>
        {texts.email.submit}
      </Button>
    </form>
  )
}

function Nameservers() {
  const account = useAccount()
  const { default_nameservers } = account
  const { title, text, label, placeholder, none, hint } = texts.nameservers
  const own = useOwnNameservers()
  const isDefault = default_nameservers.length === 0 || default_nameservers.join() === own.join()
  const { isBusy, error, problemOf, onSubmit } = useSubmit(
    ['default_nameservers'],
    async (textOf) => {
      const hosts = textOf('default_nameservers').split(/[\s,]+/)
      const given = hosts.filter((host) => host !== '')
      // An empty field means the name servers of the service, since the API has no empty list.
      const body = { default_nameservers: given.length === 0 ? [...own] : given }
      const set = await confirmed(() => answerOf(updateDefaultNameservers({ body })))
      noteAccount({ ...account, ...set })
      showToast({ title: texts.saved })
    },
  )
  return (
    <Card title={title}>
      <form onSubmit={onSubmit} noValidate className={formClass}>
        <p className="text-muted">
          {text} {isDefault && none}
        </p>
        {error !== null && <ErrorNotice error={error} />}
        <TextArea
          label={label}
          name="default_nameservers"
          autoCapitalize="off"
          key={default_nameservers.join()}
          placeholder={placeholder}
          hint={own.length > 0 ? hint(own.join(', ')) : ''}
          defaultValue={isDefault ? '' : default_nameservers.join('\n')}
          problem={problemOf('default_nameservers')}
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {texts.save}
        </Button>
      </form>
    </Card>
  )
}
