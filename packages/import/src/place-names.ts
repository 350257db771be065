// Names of the standard folders and labels, in the languages of the programs and providers that
// users migrate from. Google exports labels in the language of the account, so all Gmail languages
// are included; a language may have several names because they changed over the years. Names are
// compared without case, accents and invisible characters.

import { withoutPiles } from '@keyfold/mail/invisible';

/** A standard place of every mailbox. */
export type NamedPlace = 'inbox' | 'sent' | 'drafts' | 'deleted' | 'spam' | 'archive';

const PLACES: Readonly<Record<NamedPlace, string>> = {
  inbox: `inbox|in-box|inkassie|inmandjie|gələnlər qutusu|gələn qutusu|gələnlər|kotak masuk|peti masuk|safata d'entrada|safata d’entrada
    |doručená pošta|doručené|mewnflwch|blwch derbyn|indbakke|posteingang|sisendkaust|postkast|recibidos|bandeja de entrada|sarrera-ontzia
    |sarrera ontzia|boîte de réception|bosca isteach|caixa de entrada|recibido|pristigla pošta|ulazna pošta|primljeno|posta in arrivo
    |ibhokisi lokungenayo|innhólf|pósthólf|kikasha|kikasha pokezi|iesūtne|gautieji|gauti laiškai|beérkező levelek|beérkezett üzenetek
    |innboks|postvak in|odebrane|skrzynka odbiorcza|primite|mesaje primite|mesaje în inbox|prejeto|mapa »prejeto«|postilaatikko
    |saapuneet|inkorg|hộp thư đến|gelen kutusu|εισερχόμενα|входящи|входяща поща|ирсэн мэйл|ирсэн имэйл|входящие|примљене|примљено
    |пријемно сандуче|prijemno sanduče|primljene|вхідні|մուտքի արկղ|ստացված|ստացվածներ|דואר נכנס|ان باکس|البريد الوارد|الوارد|صندوق الوارد
    |صندوق ورودی|صندوق دریافت|የገቢ መልእክት ሳጥን|ገቢ መልዕክት ሳጥን|የገቢ መልዕክት ሳጥን|इनबक्स|इनबॉक्स|ইনবক্স|ઇનબૉક્સ|ઇનબોક્સ|இன்பாக்ஸ்|ఇన్‌బాక్స్|ಇನ್‌ಬಾಕ್ಸ್
    |ഇൻബോക്സ്|ഇൻബോക്‌സ്|එන ලිපි|එනලිපි|กล่องจดหมาย|กล่องขาเข้า|ອິນບັອກ|ກ່ອງຈົດໝາຍ|ຈົດໝາຍເຂົ້າ|ဝင်စာ|ဝင်စာပုံး|ဝင်စာများ|შემოსულები|შემოსული|ប្រអប់ទទួល
    |ប្រអប់សំបុត្រ|收件箱|收件匣|受信トレイ|受信箱|받은편지함|받은 편지함`,
  sent: `sent|sent mail|sent items|sent messages|sent-mail|outbox|gestuur|gestuurde pos|gestuurde e-pos|göndərilmiş|göndərilənlər|göndərilmiş məktublar
    |terkirim|surat terkirim|dihantar|mel dihantar|mesej dihantar|enviats|enviat|odeslaná pošta|odeslané|odesláno|anfonwyd|wedi'i anfon|sendt|sendte
    |sendt post|sendt e-post|sendte elementer|sendte mails|gesendet|gesendete objekte|gesendete elemente|gesendete nachrichten|postausgang|saadetud
    |saadetud kirjad|enviados|enviado|elementos enviados|mensajes enviados|bidalita|bidalitakoak|bidaliak|naipadala|ipinadala|mga naipadala
    |messages envoyés|envoyés|envoyé|éléments envoyés|courrier envoyé|seolta|poslano|poslana pošta|poslane poruke|inviati|inviata|posta inviata|inviato
    |okuthunyelwe|kuthunyelwe|i-imeyili ethunyelwe|sendur póstur|sent póstur|sendir|zilizotumwa|iliyotumwa|barua zilizotumwa|nosūtītās|nosūtītie|nosūtīts
    |nosūtītās vēstules|išsiųsti|išsiųsta|išsiųsti laiškai|elküldött|elküldött üzenetek|elküldött levelek|elküldve|verzonden|verzonden items
    |verzonden berichten|wysłane|elementy wysłane|mensagens enviadas|itens enviados|e-mails enviados|e-mail enviado|trimise|mesaje trimise|trimis
    |odoslaná pošta|odoslané|odoslaná|poslano|lähetetyt|lähetetty|lähetetyt viestit|skickat|skickade|skickade mejl|skickade meddelanden|skickade objekt
    |đã gửi|thư đã gửi|gönderilmiş postalar|gönderilmiş öğeler|gönderilmiş|gönderilenler|gönderildi|απεσταλμένα|σταλμένα|εστάλη|изпратени|изпратено
    |изпратена поща|илгээсэн|илгээсэн мэйл|илгээсэн имэйл|отправленные|отправлено|исходящие|послате|послато|послате поруке|poslate|poslato|надіслані
    |надіслано|відправлені|ուղարկված|ուղարկվածներ|ուղարկված նամակներ|דואר יוצא|נשלח|נשלחו|פריטים שנשלחו|דואר שנשלח|ارسال کردہ|بھیجے گئے|بھیجی گئی
    |بھیجی گئی میل|البريد المرسل|المرسل|المرسلة|الرسائل المرسلة|العناصر المرسلة|مرسل|تم الإرسال|تم إرسالها|ارسال شده|ارسال‌شده|فرستاده شده|پیام‌های ارسالی
    |نامه‌های ارسال شده|የተላከ|የተላኩ|የተላከ መልዕክት|የተላኩ መልዕክቶች|पठाइएको|पठाइएका|पठाइएको मेल|पाठवलेले|पाठविलेले|पाठवलेले मेल|भेजे गए|भेजा गया|भेजी गई|भेजे गए मेल
    |प्रेषित|পাঠানো|প্রেরিত|পাঠানো হয়েছে|পাঠানো মেল|পাঠানো মেইল|મોકલેલ|મોકલેલા|મોકલેલ મેઇલ|அனுப்பியவை|அனுப்பியது|அனுப்பப்பட்டது|அனுப்பிய அஞ்சல்|அனுப்பப்பட்டவை
    |పంపినవి|పంపబడినవి|పంపబడింది|పంపిన మెయిల్|పంపించినవి|ಕಳುಹಿಸಿದ|ಕಳುಹಿಸಲಾಗಿದೆ|ಕಳುಹಿಸಿದ ಮೇಲ್|ಕಳುಹಿಸಿರುವುದು|അയച്ചവ|അയച്ചത്|അയച്ച മെയിൽ|യച്ചവ|යැවූ|යවන ලද|යැවූ තැපෑල
    |යැවූ ලිපි|ส่งแล้ว|จดหมายที่ส่งแล้ว|รายการที่ส่ง|ສົ່ງແລ້ວ|ຈົດໝາຍທີ່ສົ່ງແລ້ວ|ပို့ပြီး|ပို့ပြီးသား|ပို့ထားသော|ပို့ပြီးသော မေးလ်|გაგზავნილი|გაგზავნილები|გაგზავნილი ფოსტა|បានផ្ញើ
    |សំបុត្របានផ្ញើ|សំបុត្រ​បាន​ផ្ញើ|已发送|已发邮件|已发送邮件|已傳送|已傳送的郵件|寄件備份|寄件夾|寄件匣|已寄出|送信済み|送信済みメール|送信済みアイテム
    |보낸편지함|보낸 편지함|보낸메일함|보냄`,
  drafts: `draft|drafts|konsep|konsepte|qaralama|qaralamalar|draf|draft surat|esborranys|esborrany|koncepty|koncept|rozepsané|drafftiau|drafft|kladde|kladder|udkast
    |entwurf|entwürfe|mustand|mustandid|borrador|borradores|zirriborroak|zirriborroa|mga draft|brouillon|brouillons|dréachtaí|dréacht|borrador|skice|skica
    |bozza|bozze|okusalungiswa|okusalungiswayo|drög|uppkast|rasimu|melnraksti|melnraksts|juodraščiai|juodraštis|piszkozat|piszkozatok|utkast|concepten
    |wersje robocze|wersja robocza|szkice|robocze|rascunho|rascunhos|mesaje nefinalizate|schițe|ciorne|ciornă|rozpísané|rozpísané správy|osnutki|osnutek
    |luonnokset|luonnos|thư nháp|bản nháp|nháp|taslak|taslaklar|πρόχειρα|πρόχειρο|чернови|чернова|ноорог|ноорогууд|черновики|черновик|недовршене|нацрти|нацрт
    |nedovršene|skice|nacrti|чернетки|чернетка|սևագիր|սևագրեր|טיוטה|טיוטות|ڈرافٹس|ڈرافٹ|مسودہ|المسودات|مسودة|مسودات|پیش‌نویس|پیش نویس|پیش‌نویس‌ها|پیش نویس‌ها
    |ረቂቅ|ረቂቆች|ड्राफ्ट|ड्राफ्टहरू|ड्राफ़्ट|मसौदा|मसुदे|मसुदा|ড্রাফ্ট|ড্রাফট|খসড়া|ડ્રાફ્ટ|ડ્રાફ્ટ્સ|வரைவு|வரைவுகள்|చిత్తుప్రతి|చిత్తుప్రతులు|డ్రాఫ్ట్‌లు|ಡ್ರಾಫ್ಟ್
    |ಡ್ರಾಫ್ಟ್‌ಗಳು|ಕರಡು|ಕರಡುಗಳು|ഡ്രാഫ്റ്റ്|ഡ്രാഫ്റ്റുകൾ|ഡ്രാഫ്‌റ്റുകൾ|കരട്|കെട്ടിത്തീരാത്തവ|කටුපිටපත්|කෙටුම්පත්|කෙටුම්පත|ร่างจดหมาย|จดหมายร่าง|ฉบับร่าง|ร่าง|ສະບັບຮ່າງ|ຮ່າງ
    |ຮ່າງຈົດໝາຍ|မူကြမ်း|မူကြမ်းများ|შავი|მონახაზი|მონახაზები|დრაფტები|შავი ვარიანტები|ព្រាង|សេចក្តីព្រាង|សំបុត្រព្រាង|草稿|草稿箱|草稿匣|下書き|下書|임시보관함|임시 보관함|임시보관`,
  deleted: `trash|bin|trash can|rubbish|deleted|deleted items|deleted messages|asblik|snippermandjie|vullisdrom|zibil qutusu|zibil|səbət|sampah|tong sampah|tempat sampah|paperera|koš|bin sbwriel|sbwriel
    |papirkurv|slettet post|slettede elementer|papierkorb|gelöscht|gelöschte objekte|gelöschte elemente|gelöschte nachrichten|prügikast|papelera|papelera de reciclaje|elementos eliminados
    |eliminados|mensajes eliminados|zakarrontzia|zaborrontzia|basurahan|corbeille|éléments supprimés|messages supprimés|bruscar|papeleira|lixo|smeće|otpad|cestino|posta eliminata|eliminata
    |messaggi eliminati|udoti|ukungcola|rusl|ruslakarfa|ruslatunna|tupio|pipa la taka|miskaste|atkritne|šiukšliadėžė|šiukšlinė|šiukšlės|kuka|törölt elemek|lomtár|søppel|søppelkasse|papirkurven
    |prullenbak|verwijderde items|kosz|elementy usunięte|lixeira|reciclagem|itens excluídos|itens eliminados|coș de gunoi|coșul de gunoi|gunoi|coş de gunoi|kôš|odstránené|smeti|koš za smeti
    |roskakori|poistetut|papperskorg|papperskorgen|borttaget|thùng rác|çöp kutusu|çöp|silinmiş öğeler|κάδος|κάδος απορριμμάτων|κάδος ανακύκλωσης|кошче|хогийн сав|хог|корзина|удаленные|отпад
    |otpad|смеће|кошик|видалені|աղբարկղ|աղբ|אשפה|פח אשפה|האשפה|ردی|ٹریش|کوڑا دان|المهملات|سلة المهملات|العناصر المحذوفة|زباله‌دان|زباله دان|حذف‌شده‌ها|حذف شده‌ها|سطل زباله|መጣያ|የቆሻሻ መጣያ
    |रद्दीटोकरी|रद्दी|ट्र्यास|कचरा|कचरापेटी|ट्रैश|ট্র্যাশ|ট্র্যাস|ટ્રૅશ|ટ્રેશ|குப்பை|நீக்கியவை|ட்ராஷ்|ట్రాష్|ట్రాష్‌|చెత్త|ಅನುಪಯುಕ್ತ|ಟ್ರ್ಯಾಶ್|ട്രാഷ്|ചവറ്റുകൊട്ട|ട്രാഷ്‌|ඉවතලන|කුණු බඳුන|කුණු|ถังขยะ
    |ຖັງຂີ້ເຫຍື້ອ|ຂີ້ເຫຍື້ອ|အမှိုက်ပုံး|အမှိုက်|ურნა|სანაგვე|წაშლილები|ធុងសំរាម|សំរាម|已删除邮件|已删除|垃圾箱|废纸篓|回收站|垃圾桶|刪除的郵件|ゴミ箱|ごみ箱|削除済みアイテム|휴지통|지운편지함`,
  spam: `spam|junk|junk mail|junk e-mail|junk email|bulk|bulk mail|spamverdacht|werbung|junk-e-mail|strooipos|gemorspos|correu brossa|spami|spam-e|nevyžádaná pošta|sbam|sothach|rämpspost|correo no deseado|no deseado
    |zabor-posta|zaborra|courrier indésirable|indésirables|indésirable|turscar|correo non desexado|neželjena pošta|posta indesiderata|ugaxekile|ogaxekile|ugaxekile|ruslpóstur|ruslpostur|barua taka
    |mēstules|surogātpasts|šlamštas|levélszemét|søppelpost|uønsket e-post|uønsket mail|ongewenste e-mail|ongewenst|niechciane|wiadomości-śmieci|lixo eletrônico|lixo electrónico|vsiljena pošta|neželena pošta
    |roskaposti|roskapostit|skräppost|thư rác|spam thư rác|istenmeyen|gereksiz|istenmeyen posta|ανεπιθύμητα|ανεπιθύμητη αλληλογραφία|ανεπιθύμητη|спам|нежелана поща|нежелательная почта|непожељне|непожељна пошта
    |nepoželjne|небажана пошта|սպամ|ספאם|דואר זבל|זבל|اسپام|سپیم|البريد غير المرغوب فيه|رسائل غير مرغوب فيها|غير مرغوب فيه|البريد العشوائي|هرزنامه|አይፈለጌ መልዕክት|አይፈለጌ መልእክት|አይፈለጌ|स्प्याम|स्पॅम|स्पैम|স্প্যাম|સ્પામ
    |ஸ்பேம்|స్పామ్|స్పామ్‌|ಸ್ಪ್ಯಾಮ್|ಸ್ಪಾಮ್|സ്‌പാം|സ്പാം|අයාචිත|අයාචිත තැපැල්|ස්පෑම්|จดหมายขยะ|สแปม|ອີເມວຂີ້ເຫຍື້ອ|ສະແປມ|စပမ်း|စပမ်|သံသယရှိသော|სპამი|უსარგებლო|ឥតបានការ|សារឥតបានការ|សំបុត្រឥតបានការ|垃圾邮件|垃圾郵件|迷惑メール|스팸|스팸함|스팸메일함|스팸 메일함`,
  archive: `archive|archives|archived|argief|geargiveer|gearchiveerd|arxivlənib|arxivləşdirilib|arxiv|diarsipkan|arsip|diarkibkan|arkib|arxivat|arxivats|arxiu|archivováno|archivované|archiv|archivní|archifwyd|wedi'i archifo|arkiveret|arkiv
    |arkivert|arkiverat|arkiverade|archiviert|arhiveeritud|arhiiv|archivado|archivados|archivo|archivos|artxibatuta|artxibatua|artxibatutakoak|naka-archive|archivé|archivés|archivée|archivées|cartlannaithe|cartlann|arquivado|arquivados
    |arquivadas|arquivo|arhivirano|arhivirane|arhiva|archiviato|archiviati|archiviata|archivio|okufakwe kungobo|kufakwe kungobo yomlando|geymt|í geymslu|imehifadhiwa kwenye kumbukumbu|kumbukumbu|zilizohifadhiwa|arhivēts|arhivētās
    |arhīvs|archyvuoti|suarchyvuota|archyvuota|archyvas|archiválva|archivált|archívum|zarchiwizowane|zarchiwizowana|archiwum|arhivat|arhivate|arhivă|archív|archivované|archivovaná|arhivirano|arkistoitu|arkistoidut|arkisto|đã lưu trữ|lưu trữ
    |arşivlendi|arşivlenmiş|arşivlenenler|arşiv|αρχειοθετημένα|αρχειοθετήθηκε|αρχειοθετημένο|αρχείο|архивирани|архивирано|архив|архивласан|архивлагдсан|архивировано|архивированные|архивные|в архиве|архивирано|архивиране|архива|архівовано
    |заархівовано|заархівовані|архівовані|архів|արխիվացված|արխիվացվել է|արխիվ|הועבר לארכיון|בארכיון|ארכיון|שהועברו לארכיון|محفوظ شدہ|آرکائیو شدہ|آرکائیو کردہ|مؤرشفة|مؤرشف|المؤرشفة|تمت الأرشفة|مؤرشَف|الأرشيف|أرشيف|تم أرشفتها|بایگانی شده|بایگانی‌شده
    |بایگانی|በማህደር ተቀምጧል|በማህደር የተቀመጠ|ማህደር|सङ्ग्रह गरिएको|अभिलेख गरिएको|संग्रहित|संग्रहित केले|संग्रहित केलेले|आर्काइव किया गया|संग्रहीत|संग्रहीत किया गया|আর্কাইভ করা হয়েছে|আর্কাইভ করা|সংরক্ষিত|આર્કાઇવ કરેલ|આર્કાઇવ કર્યું|காப்பகப்படுத்தப்பட்டது
    |காப்பகப்படுத்தியவை|காப்பகம்|ఆర్కైవ్ చేయబడింది|ఆర్కైవ్ చేసినవి|ఆర్కైవ్ చేయబడినవి|ಆರ್ಕೈವ್ ಮಾಡಲಾಗಿದೆ|ಆರ್ಕೈವ್ ಮಾಡಿದ|ആർക്കൈവ് ചെയ്തു|ആർക്കൈവുചെയ്തവ|ആർക്കൈവ് ചെയ്‌തവ|සංරක්ෂිත|සංරක්ෂණය කළ|เก็บถาวรแล้ว|เก็บแล้ว|ที่เก็บถาวร|เก็บเข้าคลังแล้ว|ເກັບມ້ຽນແລ້ວ|ເກັບໄວ້ແລ້ວ
    |သိမ်းထားသည်|သိမ်းဆည်းထားသော|မော်ကွန်းတင်ထားသည်|დაარქივებული|დაარქივებულია|არქივი|បានដាក់ក្នុងប័ណ្ណសារ|បានទុកក្នុងប័ណ្ណសារ|បានទុក|已归档|归档|存档|已封存|封存|アーカイブ|アーカイブ済み|보관됨|보관|보관함|보관처리됨|보관 처리됨`,
};

/** Name of Google's file of all mail, and of similar folders; any suffix is allowed. */
const ALL_MAIL =
  `all mail|all-mail|alle nachrichten|alle e-mails|alle mails|tous les messages|todos los mensajes|todo el correo|todos os e-mails|todos os emails|todo o correio|toda a correspondência|toda la correspondencia|tot el correu|tutti i messaggi|tutta la posta|alle e-mail|alle berichten|wszystkie wiadomości|cała poczta|veškerá pošta|všechny zprávy|všetky správy|všetka pošta|alle mails|alle meddelelser|all e-post|alla mejl|alla e-postmeddelanden|kaikki viestit|kaikki sähköpostit|összes üzenet|minden levél|az összes levél|toate mesajele|toate e-mailurile|вся почта|уся пошта|вся пошта|всички съобщения|цялата поща|сва пошта|sve poruke|sva pošta|vsa pošta|vsa sporočila|visi laiškai|visos vēstules|visas vēstules|visi e-pasta ziņojumi|kõik kirjad|tüm postalar|όλα τα μηνύματα|όλη η αλληλογραφία|כל הדואר|כל ההודעות|كل البريد|جميع الرسائل|كل الرسائل|بريدك كله|همه نامه‌ها|تمام نامه‌ها|semua email|semua surat|semua e-mel|tất cả thư|จดหมายทั้งหมด|सभी मेल|所有邮件|所有郵件|すべてのメール|전체보관함|전체 보관함`
    .split('|')
    .map(nameKey);

/** State that a Google label describes besides the place; `nothing` is meaningful to Gmail only. */
export type LabelState = 'unread' | 'read' | 'starred' | 'nothing';

const STATES: Readonly<Record<LabelState, string>> = {
  unread: `unread|not read|ongelees|oxunmamış|oxunmayıb|belum dibaca|belum dibuka|tidak dibaca|no llegits|no llegit|sense llegir|nepřečtené|nepřečtená|nepřečteno|heb ei ddarllen|heb eu darllen|ulæst|ulæste|ungelesen|lugemata|no leído|no leídos|sin leer
    |irakurri gabe|irakurri gabeak|hindi pa nababasa|hindi nabasa|non lu|non lus|non lue|gan léamh|non lidos|non lida|non lido|sen ler|nepročitano|nepročitane|da leggere|non letti|non letto|non letta|akufundiwe|okungafundiwe|ólesið|ólesin|ólesinn|haijasomwa|ambazo hazijasomwa|hazijasomwa
    |nelasīts|nelasītās|nelasītie|nelasīta|neskaityti|neskaityta|neskaitytas|olvasatlan|olvasatlanok|ulest|uleste|ongelezen|nieprzeczytane|nieprzeczytana|não lidas|não lido|não lidos|não lida|por ler|necitite|necitit|necitită|neprečítané|neprečítaná|neprebrano|neprebrane
    |lukematta|lukemattomat|lukematon|oläst|olästa|chưa đọc|okunmamış|okunmayanlar|okunmadı|μη αναγνωσμένα|μη αναγνωσμένο|αδιάβαστα|αδιάβαστο|непрочетени|непрочетено|уншаагүй|непрочитанные|непрочитано|не прочитано|непрочитане|непрочитано|neprocitane
    |непрочитані|չկարդացված|չընթերցված|לא נקרא|לא נקראו|שלא נקראו|شہ پڑھا|ناخواندہ|غیر پڑھی ہوئی|بغیر پڑھی|نا خوانده|غير مقروء|غير مقروءة|غير المقروءة|لم تُقرأ|خوانده نشده|خوانده‌نشده|ያልተነበበ|ያልተነበቡ|नपढिएको|नपढिएका|न वाचलेले|वाचले नाही|न वाचलेला|अपठित|बिना पढ़ा|बिना पढ़े|नहीं पढ़ा गया
    |অপঠিত|পড়া হয়নি|ન વાંચેલ|ન વાંચેલા|વાંચ્યા વગરના|படிக்காதவை|படிக்காதது|படிக்கப்படாதவை|படிக்கவில்லை|చదవనివి|చదవలేదు|చదవబడలేదు|ಓದಿಲ್ಲದ|ಓದದಿರುವುದು|ಓದದ|ಓದಿಲ್ಲ|വായിക്കാത്തവ|വായിക്കാത്തത്|നോക്കാത്തത്|නොකියවූ|නොකියවන ලද|ยังไม่ได้อ่าน|ยังไม่อ่าน|ບໍ່ໄດ້ອ່ານ|ຍັງບໍ່ໄດ້ອ່ານ|ຍັງບໍ່ທັນອ່ານ
    |မဖတ်ရသေး|မဖတ်ရသေးသော|မဖတ်ရသေးပါ|წაუკითხავი|წაუკითხავები|მიუკითხავი|មិនទាន់អាន|មិន​ទាន់​អាន|មិនបានអាន|未读|未讀|未読|읽지않음|읽지 않음|안읽음|안 읽음|읽지 않은 메일`,
  read: `opened|oopgemaak|geopen|açılmış|açıldı|açılıb|dibuka|sudah dibuka|dibaca|telah dibuka|oberts|obert|otevřené|otevřeno|otevřená|přečtené|agorwyd|wedi'i agor|wedi'u hagor|åbnet|åbnede|geöffnet|avatud|abierto|abiertos|abierta|leído|leídos|irekita|irekiak
    |nabuksan|binuksan|nabuksan na|ouvert|ouverts|ouverte|oscailte|abertos|aberto|aberta|abertas|otvoreno|otvorene|aperto|aperti|aperta|kuvuliwe|okuvuliwe|opnað|opnaður|opið|imefunguliwa|zilizofunguliwa|iliyofunguliwa|atvērts|atvērtās|atvērtie|atvērta|atidaryti|atidaryta|atidarytas|atverti|megnyitott
    |megnyitva|megnyitottak|åpnet|åpnede|geopend|otwarte|otwarta|deschise|deschis|deschisă|otvorené|otvorená|odprto|odprte|odprti|avattu|avatut|öppnat|öppnade|öppnad|đã mở|đã đọc|açılan|açılanlar|açılmış olanlar|açıldı|ανοιγμένα|ανοιγμένο|ανοιχτά|ανοίχτηκε|αναγνωσμένα|отворени|отворено|нээсэн|нээгдсэн|открытые|открыто|открытое|прочитанные
    |отворено|отворене|відкриті|відкрито|відкритий|բացված|բացվել է|נפתח|נפתחו|شدہ کھولا|کھولا گیا|کھولی گئی|کھولی ہوئی|کھلا ہوا|تم فتحها|تم فتحه|تم الفتح|مفتوح|مفتوحة|المفتوحة|باز شده|بازشده|باز|የተከፈተ|የተከፈቱ|ተከፍቷል|खोलिएको|खोलिएका|उघडलेले|उघडले|खोला गया|खोले गए|खोली गई|खुला|খোলা|খোলা হয়েছে|ખોલેલ|ખોલેલા|ખોલ્યું|திறக்கப்பட்டது
    |திறந்தவை|திறக்கப்பட்டவை|తెరిచినవి|తెరవబడింది|తెరవబడినవి|ತೆರೆಯಲಾಗಿದೆ|ತೆರೆದ|ತೆರೆದಿದೆ|തുറന്നവ|തുറന്നത്|തുറന്നു|විවෘත කළ|විවෘත|විවෘත කරන ලදි|เปิดแล้ว|เปิดอ่านแล้ว|ເປີດແລ້ວ|ເປີດ|ဖွင့်ထားသော|ဖွင့်ပြီး|ဖွင့်ထားသည်|ဖွင့်ပြီးသား|გახსნილი|გახსნილია|გახსნილები|បានបើក|បាន​បើក|已打开|已開啟|已开启|已打開|開封済み|開封|既読|읽음|열림|열어봄|개봉됨`,
  starred: `starred|gester|met ster|ulduzlu|ulduzlanmış|berbintang|destacats|amb estrella|destacat|s hvězdičkou|se hvězdičkou|serennog|gyda seren|stjernemarkeret|stjernemarkerede|med stjerne|markiert|mit stern|gekennzeichnet|tärniga|tärniga tähistatud|tärniga märgitud|destacado|destacados|con estrella|izardunak
    |izardun|izarduna|naka-star|may star|suivis|suivi|messages suivis|le réalta|réaltaithe|réalta|con estrela|destacados|sa zvjezdicom|označeno zvjezdicom|označene zvjezdicom|speciali|con stella|speciale|okufakwe inkanyezi|okunenkanyezi|okunezinkanyezi|stjörnumerkt|með stjörnu|zenye nyota|yenye nyota
    |zilizotiwa nyota|ar zvaigznīti|atzīmēts ar zvaigznīti|zvaigznītes|atzīmētās|su žvaigždute|pažymėta žvaigždute|pažymėti žvaigždute|csillagozott|csillagozottak|csillaggal megjelölt|stjernemerket|stjernemerkede|met ster|gemarkeerd|oznaczone gwiazdką|z gwiazdką|com estrela|marcado com estrela|marcados com estrela|com estrela
    |cu stea|marcate cu stea|marcat cu stea|s hviezdičkou|označené hviezdičkou|z zvezdico|označeno z zvezdico|tähdellä merkityt|tähdellä merkitty|tähdellä|stjärnmärkt|stjärnmärkta|med stjärna|gắn dấu sao|có gắn dấu sao|được gắn dấu sao|đã gắn dấu sao|có dấu sao|yıldızlı|yıldızlananlar|yıldızlandı|με αστέρι|με αστερι|со звездочкой|со звёздочкой
    |помеченные|отмеченные|със звезда|със звездичка|одтой|одоор тэмдэглэсэн|са звездицом|са звездицама|означене звездицом|sa zvezdicom|із зірочкою|позначено зірочкою|позначені зірочкою|աստղանշված|աստղանշվածներ|מסומן בכוכב|מסומנים בכוכב|מסומנות בכוכב|ستارے والا|ستارہ لگا ہوا|ستارے والے|ستارہ زد|مميزة بنجمة|مميز بنجمة|مميّز بنجمة|المميزة بنجمة|مميَّز بنجمة|مميّزة بنجمة
    |ستاره‌دار|ستاره دار|ኮከብ የተደረገበት|ኮከብ የተደረገባቸው|ባለኮከብ|तारांकित|तारा लगाइएको|तारा चिन्ह लगाइएको|तारा लगा हुआ|तारांकित केलेले|তারাঙ্কিত|তারকাচিহ্নিত|তারকা চিহ্নিত|તારાંકિત|તારાંકિત કરેલ|நட்சத்திரமிட்டவை|நட்சத்திரமிடப்பட்டது|நட்சத்திரமிட்டது|நட்சத்திரமிடப்பட்டவை|నక్షత్రం ఉన్నవి|నక్షత్రం గుర్తు ఉన్నవి|నక్షత్రం ఉంచబడింది|నక్షత్రం గుర్తు ఉంచబడినవి|ನಕ್ಷತ್ರ ಹಾಕಿದ
    |ನಕ್ಷತ್ರ ಹಾಕಲಾಗಿದೆ|ನಕ್ಷತ್ರ ಹಾಕಿರುವುದು|നക്ഷത്രമിട്ടവ|നക്ഷത്രചിഹ്നമിട്ടവ|നക്ഷത്രമിട്ടത്|තරු යෙදූ|තරුව යෙදූ|තරු ලකුණු කළ|ติดดาว|ที่ติดดาว|ຕິດດາວ|ຕິດດາວແລ້ວ|ໝາຍດາວ|ကြယ်ပွင့်ပြထားသော|ကြယ်ပွင့်ပြထားသည်|ကြယ်ပွင့်|ვარსკვლავით მონიშნული|ვარსკვლავიანი|ვარსკვლავით|មានផ្កាយ|បានដាក់ផ្កាយ|已加星标|加星标|星标|已加星號|加星號|スター付き|스타|별표편지함|별표|별표표시됨|별표 표시됨`,
  nothing: `important|chat|hangouts|muted|snoozed|belangrik|vacib|mühüm|penting|važno|important|importants|důležité|důležitá|pwysig|vigtig|vigtigt|vigtige|wichtig|tähtis|oluline|olulised|importante|importantes|garrantzitsua|garrantzitsuak|mahalaga|importants|tábhachtach|importanti
    |okubalulekile|kubalulekile|mikilvægt|mikilvægur|muhimu|svarīgs|svarīgi|svarīgās|svarbu|svarbūs|svarbus|fontos|fontosak|viktig|viktige|viktigt|viktiga|belangrijk|ważne|ważna|dôležité|dôležitá|pomembno|pomembne|tärkeä|tärkeät|tärkeää|quan trọng|önemli|σημαντικά|σημαντικό|важни|важно|чухал|важное|важные|важно|важне|важливо|важливі|важливе|կարևոր
    |חשוב|חשובים|اہم|مهم|مهمة|المهمة|هام|هامة|مهم‌ها|አስፈላጊ|महत्त्वपूर्ण|महत्वपूर्ण|महत्त्वाचे|महत्त्वाचा|গুরুত্বপূর্ণ|મહત્વપૂર્ણ|முக்கியம்|முக்கியமானவை|முக்கியமானது|ముఖ్యమైనవి|ముఖ్యం|ముఖ్యమైనది|ಪ್ರಮುಖ|ಮುಖ್ಯ|ಪ್ರಮುಖವಾದುದು|പ്രധാനപ്പെട്ടവ|പ്രധാനം|പ്രധാനപ്പെട്ടത്|වැදගත්|สำคัญ|ສຳຄັນ|ອີເມວສຳຄັນ|အရေးကြီး|အရေးကြီးသော|အရေးကြီးသည်|მნიშვნელოვანი|სასწრაფო|សំខាន់|重要|重要邮件|重要郵件|중요|중요편지함|중요 편지함
    |unterhaltungen|chattar|czaty|czat|чаты|чати|чатове|συνομιλίες|צ'אטים|צ'אט|الدردشات|چت‌ها|チャット|聊天|聊天室|即時通訊|채팅|zurückgestellt|in warteposition|en attente|posticipati|pospuestos|adiados|gesnoozed|odłożone
    |stummgeschaltet|ignoriert|ignorés|silenciados|bez powiadomień|genegeerd|已延后|已暂停|已延後|スヌーズ中|다시 알림|отложенные|ertelenenler|chat-uri|chaty|chatt`,
};

/** Words before the name of a Gmail category, shown there as a tab. */
const CATEGORY =
  /^(?:category|categories|kategorie|kategorija|kategoria|kategoriat|kategori|kategória|kategorija|kategorya|kategooria|kategoriju|catégorie|categoría|categoria|categorie|categorias|catagóir|categori|flokkur|flokks|jamii|isigaba|kateqoriya|luokka|luokan|danh mục|loại|κατηγορία|категория|категорія|категорија|ангилал|կատեգորիա|קטגוריה|الفئة|فئة|تصنيف|التصنيف|زمرہ|دسته|دسته‌بندی|دستهبندی|ምድብ|श्रेणी|वर्ग|कोटि|বিভাগ|শ্রেণী|શ્રેણી|કેટેગરી|வகை|వర్గం|ವರ್ಗ|വിഭാഗം|වර්ගය|ප්‍රවර්ගය|ප්රවර්ගය|หมวดหมู่|ประเภท|ປະເພດ|ໝວດໝູ່|အမျိုးအစား|კატეგორია|ប្រភេទ|类别|分类|類別|分類|カテゴリ|카테고리|kategoriya|kategóriája|mokatega|категории)(?:[ :：\u00a0\-–«"“„(]|$)/u;
/** The same for languages that put the word after the name. */
const CATEGORY_BEHIND =
  /(?:[ -](?:category|kategooria|kategorija|kategória|kategorisi|kategoria|kategoriya)|カテゴリ|카테고리|类别|類別)$/u;

/** Returns the form of a name that is used for comparison. */
export function nameKey(name: string): string {
  return withoutPiles(name)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

const keysOf = (names: string): string[] => names.split('|').map(nameKey);

function mapOf<T extends string>(table: Readonly<Record<T, string>>): ReadonlyMap<string, T> {
  const map = new Map<string, T>();
  for (const [of, names] of Object.entries(table) as [T, string][])
    for (const key of keysOf(names)) if (!map.has(key)) map.set(key, of);
  return map;
}

const places = mapOf(PLACES);
const states = mapOf(STATES);

/**
 * Returns the place that a folder or label of this name stands for; null when the user chose the
 * name.
 */
export function findNamedPlace(name: string): NamedPlace | null {
  const key = nameKey(name);
  const found = places.get(key);
  if (found !== undefined) return found;
  const isAll = ALL_MAIL.some(start => key.startsWith(start) && !/^\p{L}/u.test(key.slice(start.length)));
  return isAll ? 'archive' : null;
}

/** Returns the state that a Google label describes besides the place; null for a user's label. */
export function findLabelState(name: string): LabelState | null {
  const key = nameKey(name);
  const found = states.get(key);
  if (found !== undefined) return found;
  return CATEGORY.test(key) || CATEGORY_BEHIND.test(key) ? 'nothing' : null;
}
