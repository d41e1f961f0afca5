"use strict";
// Why an answer is not possible at a turn: `Arena.objection(answer, told)`, "" if it is. The server
// says with the turn what is legal; this puts it in words, before a mistake is sent.
(function (Arena) {
  Arena.objection = function (answer, told) {
    const { turn } = told;
    const isAuction = !told.table.contract;
    if (answer.type === "Explain") return asking(told);
    if (turn.claim) return answer.type === "AnswerClaim" ? "" : "Declarer claims: accept or refuse.";
    if (answer.type === "AnswerClaim") return "There is no claim to answer.";
    if (turn.undo) return answer.type === "AnswerUndo" ? "" : "Your opponents ask to take a call or card back: accept or refuse.";
    if (answer.type === "AnswerUndo") return "Nobody asks to take anything back.";
    if (answer.type === "Undo") return undoing(told);
    if (answer.type === "Claim") return claiming(answer.tricks, told);
    if (answer.type === "PlayCard") return isAuction ? "The auction is not over: call first." : playing(answer.card, told);
    if (!isAuction) return "The auction is over: play a card.";
    if (answer.call in Arena.SUITS || answer.call === "NT") return "Press a level first.";
    return turn.legal.includes(answer.call) ? "" : "You cannot call " + Arena.callName(answer.call) + " now.";
  };

  function undoing({ hasCalled, refused }) {
    if (refused) return "It was refused at this turn.";
    return hasCalled ? "" : "There is nothing to take back.";
  }

  function asking({ asked, mostAsked }) {
    return asked < mostAsked ? "" : "You have asked " + mostAsked + " questions at this turn: there are no more.";
  }

  function claiming(tricks, told) {
    if (!told.turn.may_claim) return "You cannot claim now.";
    if (!Number.isInteger(tricks)) return "Claim a whole number of tricks.";
    const left = 13 - told.table.winners.length;
    return tricks >= 0 && tricks <= left ? "" : "There are " + left + " tricks left to claim.";
  }

  function playing(card, told) {
    const { turn } = told;
    if (turn.legal.includes(card)) return "";
    const { hands, trick } = Arena.position(told.board, told.table, Infinity);
    if (!hands[turn.seat][card[0]].includes(card[1])) {
      const from = turn.seat === told.seat ? "your hand" : "dummy";
      return "Play from " + from + ": the " + Arena.cardName(card) + " is not there.";
    }
    return "You must follow suit: play a " + Arena.SUITS[trick[0].card[0]].one + ".";
  }
})(window.Arena);
