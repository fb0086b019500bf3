// An operator's decision about one object, with a reason or another text if the decision needs one,
// and with force if that is offered.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldProblems } from '../../lib/api.ts'
import { showToast } from '../../lib/toasts.ts'
import { Field } from '../field.tsx'
import { Checkbox } from '../forms/checkbox.tsx'
import { FormButtons } from '../forms/form-buttons.tsx'
import { ErrorNotice } from '../notice.tsx'
import { Dialog } from '../popups/dialog.tsx'

/** A text that the decision needs; `name` is the name of its field in a 422. */
type Reason = { label: string; hint: string; name: string }

export type Asked = {
  title: string
  text: string
  action: string
  /** The title of the toast. */
  done: string
  /** The words of the checkbox for force, or null if there is none. */
  force: string | null
  reason: Reason | null
  /** Another text, such as an amount of money. */
  amount?: Reason
  /** Whether the button is red, because the decision takes something away. */
  isDanger?: true
  run: (given: { force: boolean; reason: string; amount: string }) => Promise<unknown>
}

type Props = { asked: Asked; stale: readonly QueryKey[]; onClose: () => void }

export function DecisionDialog({ asked, stale, onClose }: Props) {
  const { title, text, action, done, force, reason, amount } = asked
  const [isForced, setForced] = useState(false)
  const [given, setGiven] = useState('')
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const decision = useMutation({
    mutationFn: () => asked.run({ force: isForced, reason: given.trim(), amount: typed.trim() }),
    onSuccess: () => {
      onClose()
      showToast({ title: done })
      return Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
  })
  const problems = fieldProblems(decision.error)
  const isMissing = [reason && given, amount && typed].some((one) => one?.trim() === '')
  const isShown = [reason, amount].some((one) => one && one.name in problems)
  return (
    <Dialog open onClose={onClose} title={title} description={text}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!decision.isPending) decision.mutate()
        }}
      >
        {decision.isError && !isShown && <ErrorNotice error={decision.error} />}
        {amount && <TextField {...amount} {...{ problems }} value={typed} onChange={setTyped} />}
        {reason && <TextField {...reason} {...{ problems }} value={given} onChange={setGiven} />}
        {force && (
          <div className="flex items-start gap-2 text-sm">
            <Checkbox label={force} checked={isForced} onChange={setForced} />
            <span aria-hidden="true">{force}</span>
          </div>
        )}
        <FormButtons
          isDanger={asked.isDanger === true || isForced}
          action={action}
          busy={decision.isPending}
          disabled={isMissing}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

type TextProps = Reason & {
  problems: Readonly<Record<string, string>>
  value: string
  onChange: (value: string) => void
}

function TextField({ problems, onChange, ...field }: TextProps) {
  return (
    <Field
      {...field}
      required
      maxLength={500}
      autoComplete="off"
      problem={problems[field.name]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
