// Words with which mail programs introduce the earlier message, in their various languages. Data
// only: reply-heads.ts decides what forms a header.

export type HeadKind = 'from' | 'sent' | 'date' | 'to' | 'cc' | 'subject' | 'other';

/** Labels before the colon, in lowercase. */
const LABELS: Record<HeadKind, string> = {
  from:
    'from|von|absender|de|expéditeur|da|mittente|van|afzender|remitente|remetente|från|avsändare|fra|avsender|afsender|' +
    'lähettäjä|od|nadawca|odesílatel|odosielateľ|pošiljatelj|feladó|de la|από|αποστολέας|от|от кого|отправитель|від|' +
    'від кого|відправник|подател|kimden|gönderen|kimdən|差出人|送信者|送信元|发件人|寄件者|寄件人|보낸 사람|보낸사람|발신|' +
    '보내는 사람|발신자|من|المرسل|מאת|saatja|kellelt|no|nuo|از|จาก|từ|dari',
  sent:
    'sent|sent at|sent on|date sent|gesendet|gesendet am|envoyé|envoyé le|enviado|enviado el|enviada|enviada em|enviado em|' +
    'enviada el|inviato|inviato il|inviata|verzonden|verzonden op|wysłano|wysłane|skickat|sendt|lähetetty|odesláno|odoslané|' +
    'poslano|elküldve|küldve|küldés dátuma|trimis|trimisă|expediat|στάλθηκε|εστάλη|απεστάλη|αποστολή|отправлено|' +
    'отправлена|надіслано|відправлено|изпратено|gönderildi|gönderilme|gönderme tarihi|gönderilme tarihi|送信日時|送信日|' +
    '发送时间|发送日期|發送時間|傳送時間|傳送日期|寄件日期|보낸 날짜|보낸날짜|보낸 시간|تاريخ الإرسال|تم الإرسال|أرسلت|' +
    'أُرسلت|مرسل|נשלח|נשלח ב|saadetud|nosūtīts|išsiųsta|ارسال شده|ส่งเมื่อ|đã gửi|terkirim|dikirim',
  date:
    'date|datum|data|fecha|dato|dagsetning|päivämäärä|päiväys|päivä|dátum|dată|ημερομηνία|ημ/νία|дата|tarih|tarix|日付|日時|' +
    '日期|时间|時間|날짜|일시|التاريخ|تاريخ|תאריך|kuupäev|datums|تاریخ|วันที่|ngày|tanggal',
  to:
    'to|an|empfänger|à|a|destinataire|destinatario|para|destinatário|aan|ontvanger|do|adresat|till|mottagare|til|' +
    'vastaanottaja|komu|pro|címzett|către|catre|προς|кому|получатель|одержувач|до|kime|alıcı|kimə|宛先|收件人|收件者|' +
    '받는 사람|받는사람|수신|수신자|إلى|الى|אל|לכבוד|kellele|kam|kam|به|ถึง|tới|đến|kepada',
  cc:
    'cc|c.c.|bcc|kopie|kopie (cc)|copie|copie à|cópia|copia|con copia|kopi|kopia|kópia|dw|копия|копія|bilgi|kopio|másolat|' +
    'másolatot kap|κοιν.|κοινοποίηση|抄送|副本|참조|نسخة|نسخة إلى|עותק|העתק|koopia|رونوشت|สำเนา|tembusan',
  subject:
    'subject|betreff|betr.|objet|sujet|asunto|oggetto|assunto|onderwerp|temat|ämne|emne|efni|aihe|předmět|predmet|zadeva|' +
    'tárgy|subiect|θέμα|тема|относно|предмет|konu|mövzu|件名|主题|主題|主旨|標題|标题|제목|الموضوع|موضوع|נושא|הנדון|teema|tēma|' +
    'tema|เรื่อง|chủ đề|subjek|perihal',
  other:
    'importance|priority|sensitivity|attachments|reply-to|reply to|resent-from|resent|wichtigkeit|priorität|anlagen|' +
    'antwort an|importance|pièces jointes|répondre à|importancia|datos adjuntos|responder a|priorità|allegati|urgentie|' +
    'bijlagen|antwoord aan|ważność|załączniki|важность|вложения|önem|ekler|prioritet|bilagor|添付ファイル|重要度|附件|重要性|첨부 파일',
};

export const LABEL_KINDS: ReadonlyMap<string, HeadKind> = new Map(
  (Object.keys(LABELS) as HeadKind[]).flatMap(kind => LABELS[kind].split('|').map(label => [label, kind])),
);

const anyOf = (words: string): string =>
  words.replaceAll('.', '\\.').replaceAll('(', '\\(').replaceAll(')', '\\)');

/** Words between dashes, above the message being answered. */
export const ORIGINAL = new RegExp(
  `^(?:${anyOf(
    'original message|original e-?mail|original|ursprüngliche nachricht|originalnachricht|original-nachricht|originalmail|' +
      "message d['’]origine|message original|message initial|mensaje original|messaggio originale|mensagem original|" +
      'oorspronkelijk bericht|origineel bericht|originele bericht|oryginalna wiadomość|wiadomość oryginalna|' +
      'исходное сообщение|оригинальное сообщение|оригінальне повідомлення|вихідне повідомлення|оригинално съобщение|' +
      'orijinal mesaj|özgün ileti|orijinal ileti|ursprungligt meddelande|originalmeddelande|oprindelig meddelelse|' +
      'original meddelelse|opprinnelig melding|original melding|alkuperäinen viesti|původní zpráva|původní e-mail|' +
      'pôvodná správa|izvirno sporočilo|izvorna poruka|originalna poruka|eredeti üzenet|mesaj original|mesajul original|' +
      'mesajul inițial|αρχικό μήνυμα|元のメッセージ|オリジナルメッセージ|原始邮件|原始郵件|邮件原件|原邮件|原始信件|원본 메시지|원본메시지|' +
      '원본 메일|الرسالة الأصلية|رسالة أصلية|הודעה מקורית|ההודעה המקורית',
  )})$`,
  'iu',
);

/** Words in the line above a forwarded message. */
export const FORWARDED =
  /forward(?:ed)?\b|weitergeleitet|transféré|reenviado|inoltrat|encaminhad|doorgestuurd|przekazan|переслан|пересыл|перенаправ|iletilen|yönlendiril|vidarebefordra|videresend|välitetty|edelleenlähet|přeposlan|preposlan|továbbított|redirecționat|προωθ|転送|转发|轉寄|轉發|전달|توجيهها|توجيه|הועבר/iu;

const SPACED =
  'wrote|writes|schrieb|schreibt|a écrit|écrit|escribió|escribio|escreveu|ha scritto|scrive|schreef|geschreven|skrev|' +
  'skriver|skreiv|kirjoitti|napsal|napsala|napsal(a)|napísal|napísala|napisał|napisała|napisał(a)|napisao|napisala|' +
  'napisao je|je napisao|napisal|írta|ezt írta|a scris|έγραψε|написал|написала|написал(а)|написав|написала|написав(-ла)|' +
  'пишет|пише|писал|писала|написа|yazdı|yazmış|yazdi|kirjutas|rakstīja|rašė|parašė|va escriure|escrigué|skrifaði|كتب|كتبت|' +
  'כתב|כתבה|כתב/ה|נכתב|نوشت|เขียน|viết|đã viết|menulis';

/** Verb of "On … somebody wrote:". */
export const WROTE = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${anyOf(SPACED)})(?![\\p{L}\\p{N}])|写道|寫道|写到|写于|のメール|書きました|書き込み|작성|썼습니다|썼다`,
  'iu',
);

/** First word of such a line. */
export const INTRODUCES =
  /^(?:on|am|le|el|il|op|den|em|a|w dniu|dne|dňa|dana|la data de|în|στις|в|у|fecha|il giorno|der|die|ed|il|tarihinde|ב|ביום|بتاريخ|في|在|於|pe|på|på den|quoting|zitat von|citando|citando a|citant|quoting from|cytat|cytowanie|citace)(?![\p{L}\p{N}])/iu;

/** "Quoting somebody:", a form without a verb. */
export const QUOTING =
  /^(?:quoting|zitat von|zitiere|citando|citando a|citant|selon|citerar|citerer|cytowanie|cytat|цитирую|lainaus)(?![\p{L}\p{N}])/iu;
