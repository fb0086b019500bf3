// Mails that were given up, each with a button that sends it again.
import type { FailedMail } from 'sdk'
import { listFailedMails, resendMail } from 'sdk-of-operators'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import type { Asked } from '../../components/operator/decision-dialog.tsx'
import { WorkCard, WorkList } from '../../components/operator/work-list.tsx'
import { answerOf } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import { mailTexts as texts } from '../../messages/operator/work-texts.ts'

export default function FailedMailsPage() {
  return (
    <WorkList
      {...texts}
      queryKey="failed-mails"
      read={async (query) => {
        const { mails, next_cursor } = await answerOf(listFailedMails({ query }))
        return { items: mails, next_cursor }
      }}
      keyOf={({ id }) => id}
    >
      {(mail, onAsk) => (
        <WorkCard
          title={mail.subject}
          badges={!mail.resendable && <Badge>{texts.textGone}</Badge>}
          problem={mail.last_error}
          actions={
            mail.resendable && (
              <Button size="sm" look="primary" onClick={() => onAsk(resendOf(mail))}>
                {texts.resend}
              </Button>
            )
          }
          facts={[
            [texts.to, mail.recipient],
            [texts.kind, mail.kind],
            [texts.customer, mail.customer_id ?? texts.none],
            [texts.queued, formatMoment(mail.created_at)],
            [texts.givenUp, formatMoment(mail.ended_at)],
          ]}
        />
      )}
    </WorkList>
  )
}

function resendOf({ id, subject }: FailedMail): Asked {
  return {
    title: texts.resendOf(subject),
    text: texts.resendText,
    action: texts.resend,
    done: texts.resendDone,
    force: null,
    reason: null,
    run: () => answerOf(resendMail({ path: { mail_id: id } })),
  }
}
