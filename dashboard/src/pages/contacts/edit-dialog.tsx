// Adds a contact, or changes one, with the roles in which it is the default of new domains.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ContactHandleResponse, createContact, updateContact } from 'sdk'
import { Checkbox } from '../../components/forms/checkbox.tsx'
import { ContactForm } from '../../components/forms/contact-form.tsx'
import { Dialog } from '../../components/popups/dialog.tsx'
import { useAccount } from '../../lib/account.ts'
import { answerOf } from '../../lib/api.ts'
import { type ContactFields, contactsKey } from '../../lib/contact-queries.ts'
import { confirmed } from '../../lib/sign-in/confirmed.ts'
import { showToast } from '../../lib/toasts.ts'
import { contactTexts as texts } from '../../messages/contact-texts.ts'
import { type DefaultRole, defaultRoles } from './default-roles.ts'

type Props = {
  contact: ContactHandleResponse | null
  /**
   * Whether it is the first contact of the account, which becomes the default in every role unless
   * the owner decides otherwise.
   */
  isFirst: boolean
  onClose: () => void
}

export default function EditDialog({ contact, isFirst, onClose }: Props) {
  const { id: customer_id } = useAccount()
  const queries = useQueryClient()
  const [roles, setRoles] = useState<ReadonlySet<DefaultRole>>(
    () => new Set(defaultRoles.filter((role) => (isFirst ? contact === null : contact?.[role]))),
  )
  const also = Object.fromEntries(defaultRoles.map((role) => [role, roles.has(role)]))
  const save = useMutation({
    mutationFn: (body: ContactFields) =>
      contact === null
        ? answerOf(createContact({ path: { customer_id }, body }))
        : confirmed(() =>
            answerOf(updateContact({ path: { customer_id, contact_id: contact.id }, body })),
          ),
    onSuccess: async ({ name }) => {
      showToast({ title: texts.saved(name) })
      onClose()
      await queries.invalidateQueries({ queryKey: contactsKey })
    },
  })
  const toggle = (role: DefaultRole, on: boolean) => {
    const next = new Set(roles)
    if (on) next.add(role)
    else next.delete(role)
    setRoles(next)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={contact === null ? texts.addTitle : texts.editTitle(contact.name)}
      description={contact === null ? texts.addText : texts.editText}
    >
      <fieldset className="rounded-lg border border-line px-3 pt-1 pb-2">
        <legend className="px-1 text-sm font-medium">{texts.defaults}</legend>
        <div className="grid grid-cols-2">
          {defaultRoles.map((role) => (
            <span key={role} className="flex items-center gap-1.5">
              <Checkbox
                label={texts.roles[role]}
                checked={roles.has(role)}
                onChange={(on) => toggle(role, on)}
              />
              <span aria-hidden="true">{texts.roles[role]}</span>
            </span>
          ))}
        </div>
      </fieldset>
      <ContactForm
        {...(contact && { initial: contact })}
        also={also}
        submit={texts.save}
        busy={save.isPending}
        error={save.error}
        onSubmit={(fields) => save.mutate(fields)}
      />
    </Dialog>
  )
}
